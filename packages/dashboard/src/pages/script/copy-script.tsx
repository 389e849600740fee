/** The same run as curl or SDK code. */
import { asCurl, asSdk, asSource, asTemplate, CopyButton } from '../../parts/copy/copy.ts';
import { useClient } from '../../session/session.ts';
import { argsTrouble, requestOf, type ScriptForm } from './script-request.ts';

export function CopyScript({ form, browserId }: { form: ScriptForm; browserId: string | undefined }) {
  const { baseUrl } = useClient();
  if (argsTrouble(form.args) !== undefined) return null;
  const request = requestOf(form);
  const path = `/v1/browsers/${browserId ?? 'BROWSER_ID'}/script/execute`;
  const open = browserId
    ? `const browser = client.browser(${asSource(browserId)});`
    : 'await using browser = await client.browsers.create();';
  const run = `const { success, result, error } = await browser.run(${asTemplate(form.code)}, ${asSource(request)});`;
  const sdk = asSdk(baseUrl, [open, run, 'console.log(success ? result : error);']);
  return (
    <>
      <CopyButton
        text={asCurl(baseUrl, 'POST', path, { code: form.code, ...request })}
        what="as curl"
        labelled
      />
      <CopyButton text={sdk} what="for the SDK" labelled />
    </>
  );
}
