/** The fields of each quick action. */
import { Check, Select, TextField } from '../../parts/forms/forms.ts';
import { CheckSet } from './check-set.tsx';
import type { FieldsProps } from './common-fields.tsx';
import { extras, papers } from './quick-request.ts';

const pictures = ['png', 'jpeg', 'webp'] as const;

const choicesOf = <Name extends string>(names: readonly Name[]) =>
  names.map((value) => ({ value, label: value.length < 5 ? value.toUpperCase() : value }));

export function OptionFields(props: FieldsProps) {
  const Fields = { scrape: ScrapeFields, screenshot: ScreenshotFields, pdf: PdfFields }[props.form.action];
  return <Fields {...props} />;
}

function ScrapeFields({ form: { scrape }, onChange }: FieldsProps) {
  const change = (part: Partial<typeof scrape>): void => onChange({ scrape: { ...scrape, ...part } });
  return (
    <>
      <div className="form-pair">
        <Select
          label="Format"
          value={scrape.format}
          choices={[
            { value: 'markdown', label: 'Markdown' },
            { value: 'text', label: 'Text' },
            { value: 'html', label: 'HTML' },
            { value: 'json', label: 'JSON' },
          ]}
          onValue={(format) => change({ format })}
        />
        <TextField
          label="Selector"
          optional
          placeholder="article"
          value={scrape.selector}
          onValue={(selector) => change({ selector })}
        />
      </div>
      <Check
        label="Main content only"
        hint="Leaves out navigation, footers and other clutter."
        checked={scrape.mainContent}
        onValue={(mainContent) => change({ mainContent })}
      />
      <CheckSet
        label="Also include"
        names={extras}
        chosen={scrape.include}
        onChosen={(include) => change({ include })}
      />
    </>
  );
}

function ScreenshotFields({ form: { screenshot }, onChange }: FieldsProps) {
  const change = (part: Partial<typeof screenshot>): void =>
    onChange({ screenshot: { ...screenshot, ...part } });
  return (
    <>
      <div className="form-pair">
        <Select
          label="Format"
          value={screenshot.format}
          choices={choicesOf(pictures)}
          onValue={(format) => change({ format })}
        />
        <TextField
          label="Selector"
          optional
          placeholder="#chart"
          value={screenshot.selector}
          onValue={(selector) => change({ selector })}
        />
      </div>
      <Check
        label="Full page"
        hint="The whole page, not just the visible part."
        checked={screenshot.fullPage}
        onValue={(fullPage) => change({ fullPage })}
      />
      <Check
        label="Transparent background"
        checked={screenshot.omitBackground}
        disabled={screenshot.format === 'jpeg'}
        onValue={(omitBackground) => change({ omitBackground })}
      />
    </>
  );
}

function PdfFields({ form: { pdf }, onChange }: FieldsProps) {
  const change = (part: Partial<typeof pdf>): void => onChange({ pdf: { ...pdf, ...part } });
  return (
    <>
      <div className="form-pair">
        <Select
          label="Paper"
          value={pdf.format}
          choices={choicesOf(papers)}
          onValue={(format) => change({ format })}
        />
        <TextField
          label="Pages"
          optional
          placeholder="1-3, 5"
          value={pdf.pageRanges}
          onValue={(pageRanges) => change({ pageRanges })}
        />
      </div>
      <Check label="Landscape" checked={pdf.landscape} onValue={(landscape) => change({ landscape })} />
      <Check
        label="Backgrounds"
        checked={pdf.printBackground}
        onValue={(printBackground) => change({ printBackground })}
      />
    </>
  );
}
