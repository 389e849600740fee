import { describe, expect, test } from 'vitest';
import { dateIn, momentIn } from './dates.ts';
import { namesFor, plain, plainHeading } from './names.ts';
import { numberIn, writesComma } from './numbers.ts';

const english = { machine: false, comma: false };
const german = { machine: false, comma: true };
const machine = { machine: true, comma: true };

describe('a number', () => {
  test.each([
    ['$1,299.00', english, 1299],
    ['1.299,00 €', english, 1299],
    ['€ 1.299', german, 1299],
    ['1.299', english, 1.299],
    ['1.299', machine, 1.299],
    ['1,299', english, 1299],
    ['1,299', german, 1.299],
    ['0,5 kg', english, 0.5],
    ['1 299,50 zł', english, 1299.5],
    ['1 299 Kč', english, 1299],
    ['CHF 1’299.–', english, 1299],
    ['12.345.678', english, 12_345_678],
    ['4.6 out of 5 stars', english, 4.6],
    ['10 20', english, 10],
    ['10–20', english, 10],
    ['-5 °C', english, -5],
    ['No-7', english, 7],
    ['1.2k reviews', english, 1200],
    ['3 million', english, 3_000_000],
    ['3.5M', english, 3_500_000],
    ['5 m', english, 5],
    ['2 Mio. €', german, 2_000_000],
    ['1e3', machine, 1000],
    ['free', english, undefined],
    ['', english, undefined],
    ['9'.repeat(400), machine, undefined],
  ])('%s', (text, how, value) => {
    expect(numberIn(text, how)).toBe(value);
  });

  test('has a comma before its decimals in some languages', () => {
    expect(['de', 'de-AT', 'fr', 'pt-BR'].every(writesComma)).toBe(true);
    expect(['en', 'ja', 'deutsch', '', null].some(writesComma)).toBe(false);
  });
});

describe('a day', () => {
  test.each([
    ['2026-03-05', '2026-03-05'],
    ['20260305', '2026-03-05'],
    ['2026-03-05T10:00:00+02:00', '2026-03-05'],
    ['March 5, 2026', '2026-03-05'],
    ['Posted on 5th of March 2026 by Ada', '2026-03-05'],
    ['5 Sept. 2026', '2026-09-05'],
    ['05.03.2026', '2026-03-05'],
    ['2026/3/5', '2026-03-05'],
    ['25/12/2026', '2026-12-25'],
    ['12/25/2026', '2026-12-25'],
    ['03/04/2026', undefined],
    ['2026-02-30', undefined],
    ['yesterday', undefined],
  ])('%s', (text, day) => {
    expect(dateIn(text)).toBe(day);
  });

  test.each([
    ['2026-03-05T10:00:00+0200', '2026-03-05T10:00:00+02:00'],
    ['2026-03-05T10:00:00.123Z', '2026-03-05T10:00:00Z'],
    ['2026-03-05 10:00', '2026-03-05T10:00:00Z'],
    ['March 5, 2026', '2026-03-05T00:00:00Z'],
    ['2026-03-05T25:00', undefined],
  ])('with its time: %s', (text, moment) => {
    expect(momentIn(text)).toBe(moment);
  });
});

describe('a name', () => {
  test('is the same however it is written', () => {
    expect(
      new Set(['datePublished', 'date_published', 'date-published', 'Date published:'].map(plain)).size,
    ).toBe(1);
    expect(plainHeading('Price (EUR)')).toEqual(['priceeur', 'price']);
  });

  test('is looked for before words for the same thing', () => {
    expect(namesFor('title')[0]).toBe('title');
    expect(namesFor('title')).toContain('headline');
    expect(namesFor('images')).toContain('image');
    expect(namesFor('__proto__')).toEqual(['proto', 'protos']);
    expect(namesFor('constructor')).toEqual(['constructor', 'constructors']);
  });
});
