/**
 * File inputs of the tab that is shown. Chromium would open a dialog of the machine it runs on; instead it tells the
 * service, and the person picks files of their own machine:
 *
 *   Page.fileChooserOpened ──> picker ──> the viewer uploads ──> the service lends the file ──> DOM.setFileInputFiles
 */
import { controlsProgram } from '../reach/reach.ts';
import type { ControlFrames } from './control-frames.ts';
import { type Picker, readFileFacts } from './picker.ts';
import { RefusedError } from './remote.ts';
import type { Shown } from './screencast.ts';

/** A file input that waits for files. */
export interface Chooser {
  sessionId: string;
  objectId: string;
  backendNodeId: number;
  multiple: boolean;
}

interface Opened {
  frameId: string;
  mode: string;
  /** Absent where no input opened it. */
  backendNodeId?: number;
}

const noInput =
  'The page asks for a file in a way that cannot be answered here: only file inputs can be given one.';
const noFolder = 'The page asks for a whole folder, which cannot be uploaded here.';

/** What the person is shown, and what waits for the answer. Throws where it cannot be answered. */
export async function openedChooser(
  { remote }: Shown,
  frames: ControlFrames,
  sessionId: string,
  { frameId, mode, backendNodeId }: Opened,
): Promise<{ chooser: Chooser; picker: Omit<Picker, 'id' | 'tabId'> }> {
  if (backendNodeId === undefined) throw new RefusedError(noInput);
  const { contextId } = await frames.worldOf(sessionId, frameId);
  const node = { backendNodeId, executionContextId: contextId };
  const { object } = await remote.send('DOM.resolveNode', node, sessionId);
  const { objectId } = object as { objectId: string };
  const functionDeclaration = controlsProgram.method('file');
  const called = { objectId, functionDeclaration, returnByValue: true };
  const { result } = await remote.send('Runtime.callFunctionOn', called, sessionId);
  const facts = readFileFacts((result as { value: unknown }).value);
  if (!facts) throw new RefusedError(noInput);
  if (facts.directory) throw new RefusedError(noFolder);
  // An input that is not seen itself has no place.
  const box = await frames.boxOf(sessionId, { backendNodeId }).catch(() => undefined);
  const multiple = mode === 'selectMultiple';
  const { label, accept } = facts;
  return {
    chooser: { sessionId, objectId, backendNodeId, multiple },
    picker: { kind: 'file', label, accept, multiple, value: '', required: false, ...(box && { box }) },
  };
}

export async function giveFiles(
  { remote }: Shown,
  { sessionId, backendNodeId, multiple }: Chooser,
  files: string[],
): Promise<void> {
  if (files.length > 1 && !multiple) throw new RefusedError('The page takes one file here.');
  await remote.send('DOM.setFileInputFiles', { files, backendNodeId }, sessionId);
}

/** The page hears that none was picked, as it would from Chromium. */
export async function giveNone({ remote }: Shown, { sessionId, objectId }: Chooser): Promise<void> {
  const functionDeclaration = controlsProgram.method('fileCancelled');
  await remote.send('Runtime.callFunctionOn', { objectId, functionDeclaration }, sessionId);
}
