import type { Browsers } from '../../browsers/browsers.ts';
import type { Log } from '../../kit/log.ts';
import type { Farewell } from '../attachments.ts';
import { inputOf } from './input.ts';
import { isLooking, type ViewerMessage, viewerMessage } from './messages.ts';
import { RefusedError } from './remote.ts';
import type { Frame, Seat } from './stage.ts';
import type { Show } from './views.ts';

/** One viewer: what it is shown and told, and what it may do. */
export interface ViewerPort {
  tell(message: object): void;
  show(frame: Frame): void;
  /** Its end, once, unless it closed the view itself. */
  onEnd(why: Farewell): void;
}
