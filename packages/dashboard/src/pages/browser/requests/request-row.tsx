/** One request in the table. Its name is a button that covers the row, so that a click anywhere opens the details. */
import { plainly } from '../../../parts/text/text.ts';
import type { Row } from './known-requests.ts';
import { nameOf, outcomeOf, sizeWords, timeWords } from './request-facts.ts';
import type { TimeScale } from './time-scale.ts';
import { Waterfall } from './waterfall.tsx';

/** More of a name is never in view. */
const longest = 300;

export function RequestRow(props: {
  request: Row;
  index: number;
  scale: TimeScale;
  isSelected: boolean;
  isStop: boolean;
  onOpen: (id: string) => void;
  onFocus: (id: string) => void;
}) {
  const { request, index, scale, isSelected, isStop, onOpen, onFocus } = props;
  const { id, url, method, type, failure } = request;
  const { name, host } = nameOf(url);
  const outcome = outcomeOf(request);
  return (
    <tr aria-rowindex={index + 2} className={isSelected ? 'selected' : undefined}>
      <td className="requests-method">{plainly(method.slice(0, 20))}</td>
      <td className="requests-name">
        <button
          type="button"
          data-id={id}
          tabIndex={isStop ? 0 : -1}
          aria-current={isSelected || undefined}
          title={plainly(url.slice(0, longest))}
          onClick={() => onOpen(id)}
          onFocus={() => onFocus(id)}
        >
          <bdi>{plainly(name.slice(0, longest))}</bdi>
          <bdi className="faint">{plainly(host.slice(0, longest))}</bdi>
        </button>
      </td>
      <td className={`requests-status tone-${outcome.tone}`} title={failure?.error}>
        {plainly(outcome.text)}
      </td>
      <td className="requests-type">{type}</td>
      <td className="requests-size">{sizeWords(request)}</td>
      <td className="requests-time">{timeWords(request)}</td>
      <td className="requests-waterfall">
        <Waterfall request={request} scale={scale} />
      </td>
    </tr>
  );
}
