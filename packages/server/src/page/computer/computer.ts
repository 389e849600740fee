/** Computer use: a browser as a screen with a mouse and a keyboard, for models that act by places in a picture. */
export { Computers } from './computers.ts';
