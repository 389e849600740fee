/** What a browser has on the disk: its profile folder, its exchange of files, and how both are removed. */
export { type DiskWatch, openDiskWatch } from './disk-watch.ts';
export { type Exchange, type Exchanges, openExchanges } from './exchange.ts';
export { liesInMemory } from './folder-size.ts';
export { createLentFiles, type LentFiles } from './lent-files.ts';
export { openProfileFolders, type ProfileFolders } from './profile-folders.ts';
export { prepareToShare, shareTree } from './share-tree.ts';
export { uploadRefusal } from './upload-policy.ts';
