/** A page that fails while it is drawn or loaded shows its error in its place; nothing around it is lost. */
import { Component, type ReactNode } from 'react';
import { Button } from '../parts/controls/controls.ts';
import { ErrorNote } from '../parts/notices/notices.ts';

interface Props {
  children: ReactNode;
}
interface State {
  failed?: { error: unknown };
}

export class Boundary extends Component<Props, State> {
  override state: State = {};

  static getDerivedStateFromError(error: unknown): State {
    return { failed: { error } };
  }

  override render(): ReactNode {
    const { failed } = this.state;
    if (!failed) return this.props.children;
    return (
      <div className="page">
        <h1>This page can’t be loaded</h1>
        <ErrorNote error={failed.error} />
        <p className="soft">
          The service may have been updated since you opened the dashboard, or it can’t be reached.
        </p>
        <div className="row">
          <Button kind="primary" icon="refresh" onClick={() => location.reload()}>
            Reload
          </Button>
        </div>
      </div>
    );
  }
}
