/** A remark in a box: information, a warning, a success. */
import type { ReactNode } from 'react';
import { Icon, type IconName } from '../controls/controls.ts';

interface NoteProps {
  kind?: 'info' | 'warning' | 'good';
  icon?: IconName;
  children: ReactNode;
}

export function Note({ kind = 'info', icon = 'warning', children }: NoteProps) {
  return (
    <div className={`note ${kind}`} role="status">
      <Icon name={icon} />
      <div className="note-text">{children}</div>
    </div>
  );
}
