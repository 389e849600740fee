/** The same call as curl or SDK code. */
import { asCurl, asSdk, asSource, CopyButton } from '../../parts/copy/copy.ts';
import { useClient } from '../../session/session.ts';
import { bodyOf, type QuickForm } from './quick-request.ts';

export function CopyQuick({ form }: { form: QuickForm }) {
  const { baseUrl } = useClient();
  const { action } = form;
  const body = bodyOf(form);
  const output = { scrape: undefined, screenshot: `page.${form.screenshot.format}`, pdf: 'page.pdf' }[action];
  const call = `await client.${action}(${asSource(body)})`;
  const lines =
    output === undefined
      ? [`const { title, content } = ${call};`, 'console.log(title, content);']
      : [`const made = ${call};`, `await writeFile(${asSource(output)}, await made.bytes());`];
  const imports = output === undefined ? '' : `import { writeFile } from 'node:fs/promises';\n`;
  return (
    <>
      <CopyButton text={asCurl(baseUrl, 'POST', `/v1/${action}`, body, output)} what="as curl" labelled />
      <CopyButton text={imports + asSdk(baseUrl, lines)} what="for the SDK" labelled />
    </>
  );
}
