import { expect, test } from 'vitest';
import { SetupError } from '../../kit/setup-error.ts';
import { readS3Place } from './s3-place.ts';

test.each([
  [
    's3://kept?region=eu-central-1',
    { prefix: '', base: 'https://kept.s3.eu-central-1.amazonaws.com/', endpoint: undefined },
  ],
  [
    's3://kept/a/b/?region=cn-north-1',
    { prefix: 'a/b/', base: 'https://kept.s3.cn-north-1.amazonaws.com.cn/' },
  ],
  ['s3://kept.in.dots?region=us-east-2', { base: 'https://s3.us-east-2.amazonaws.com/kept.in.dots/' }],
  [
    's3://kept/a?endpoint=https://minio.internal:9000/',
    {
      bucket: 'kept',
      prefix: 'a/',
      region: 'us-east-1',
      base: 'https://minio.internal:9000/kept/',
      endpoint: 'https://minio.internal:9000',
    },
  ],
  [
    's3://kept?endpoint=http%3A%2F%2F10.0.0.5%2Fs3&region=auto',
    { region: 'auto', base: 'http://10.0.0.5/s3/kept/', endpoint: 'http://10.0.0.5/s3' },
  ],
])('%s is understood', (address, place) => {
  expect(readS3Place(address)).toMatchObject(place);
});

test.each([
  ['s3://', 'no name of a bucket'],
  ['s3://[', 'no address'],
  ['s3://kept', '`region` must say which'],
  ['s3://KEPT_it?region=eu-central-1', 'no name of a bucket'],
  ['s3://key:secret@kept?region=eu-central-1', 'BROWSERD_S3_ACCESS_KEY_ID'],
  ['s3://kept/a b?region=eu-central-1', 'the prefix may have'],
  ['s3://kept?region=eu central', 'is no region'],
  ['s3://kept?endpoint=minio:9000', '`endpoint` must be the address of a server'],
  ['s3://kept?endpoint=https://me:x@minio', '`endpoint` must be the address of a server'],
  ['s3://kept?enpoint=https://minio', 'no option `enpoint`'],
])('%s is refused', (address, why) => {
  expect(() => readS3Place(address)).toThrow(SetupError);
  expect(() => readS3Place(address)).toThrow(why);
});
