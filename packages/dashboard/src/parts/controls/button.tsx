/** Buttons, and links that look like buttons. */
import type { ButtonHTMLAttributes } from 'react';
import { Link } from 'wouter';
import { Icon, type IconName } from './icon.tsx';

export interface ButtonLook {
  kind?: 'primary' | 'plain' | 'quiet' | 'danger';
  icon?: IconName;
  small?: boolean;
  /** For the one thing that is to be done. */
  large?: boolean;
}
export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement>, ButtonLook {
  /** Its action is running: it cannot be pressed again, and keeps its width. */
  busy?: boolean;
}

const classOf = ({ kind = 'plain', small, large }: ButtonLook, bare: boolean): string =>
  ['button', kind, small && 'small', large && 'large', bare && 'bare'].filter(Boolean).join(' ');

/** A button without children needs an `aria-label`. */
export function Button({
  kind,
  icon,
  small,
  large,
  busy,
  children,
  className,
  disabled,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`${classOf({ kind, small, large }, !children)} ${className ?? ''}`}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      title={rest.title ?? (children ? undefined : rest['aria-label'])}
    >
      {busy ? <span className="spinner" aria-hidden="true" /> : icon && <Icon name={icon} />}
      {children && <span>{children}</span>}
    </button>
  );
}

/** A link that looks like a button. */
export function LinkButton({
  to,
  kind,
  icon,
  small,
  children,
}: ButtonLook & { to: string; children: string }) {
  return (
    <Link href={to} className={classOf({ kind, small }, false)}>
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </Link>
  );
}
