/** The name and the icon of browserd. */
import icon from '../design/icon.svg';

export function Brand() {
  return (
    <span className="brand">
      <img src={icon} alt="" width="22" height="22" />
      browserd
    </span>
  );
}
