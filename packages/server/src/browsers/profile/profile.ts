/** A browser and its saved profile: how it begins with one, and how its state gets back into it. */
export { fillStorage } from '../running/running.ts';
export { type BeginParts, type Begun, beginWith, putCookies } from './begin.ts';
export { ProfileBases } from './profile-bases.ts';
export { refOf, useOf } from './profile-use.ts';
export { captured, type Ended, leaveProfile, saveProfile, writes } from './save.ts';
export { type AlwaysParts, saveAlways } from './save-always.ts';
