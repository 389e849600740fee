/** Browsers that wait for a person, above the list whatever it shows: their tasks stand still until then. */
import { useLocation } from 'wouter';
import { useWaiting } from '../../data/data.ts';
import { Button, Icon } from '../../parts/controls/controls.ts';
import { Time, Untrusted } from '../../parts/text/text.ts';
import { takeOverAt } from '../../view/view.ts';

export function WaitingBrowsers() {
  const waiting = useWaiting();
  const [, navigate] = useLocation();
  return (
    <div role="status">
      {waiting.length > 0 && (
        <section className="waiting" aria-label="Waiting for you">
          <h2>
            {waiting.length === 1
              ? '1 browser is waiting for you'
              : `${waiting.length} browsers are waiting for you`}
          </h2>
          <ul>
            {waiting.map(({ id, record }) => (
              <li key={id}>
                <Icon name="person" size={20} />
                <div className="waiting-text">
                  <strong>
                    <Untrusted text={record.name ?? id} />
                  </strong>
                  <p>
                    {record.handoff?.message && (
                      <Untrusted text={record.handoff.message} className="waiting-message" />
                    )}
                    <span className="soft">
                      asked <Time at={record.handoff?.since ?? record.lastActionAt} />
                    </span>
                  </p>
                </div>
                <Button
                  kind="primary"
                  large
                  icon="person"
                  aria-label={`Take over ${record.name ?? id}`}
                  onClick={() => navigate(takeOverAt(id).path, takeOverAt(id).options)}
                >
                  Take over
                </Button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
