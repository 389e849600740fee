/** What a person presses. */
export { Button, LinkButton } from './button.tsx';
export { ChoiceChips } from './choice-chips.tsx';
export { Icon, type IconName } from './icon.tsx';
