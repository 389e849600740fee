/** The document itself, for commands whose answer is as long as the document is large. */
const { getElementsByTagName } = Document.prototype;

export const smallDocument = (mostElements: number): Document | null =>
  getElementsByTagName.call(document, '*').length <= mostElements ? document : null;
