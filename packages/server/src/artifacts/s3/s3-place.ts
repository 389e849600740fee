/**
 * Which bucket, from one address:
 *
 *   s3://bucket/some/prefix?region=eu-central-1                            Amazon
 *   s3://bucket?endpoint=https://minio.internal:9000                       any other server; the bucket is in the path
 */
import { SetupError } from '../../kit/setup-error.ts';

export interface S3Place {
  bucket: string;
  /** Of every key; empty, or ends with a slash. */
  prefix: string;
  region: string;
  /** What every address of the bucket begins with; ends with a slash. */
  base: string;
  /** The server, where the operator named one. Amazon's serves half of the web: browsers may reach it. */
  endpoint: string | undefined;
}

const example =
  's3://bucket/prefix?region=eu-central-1, or s3://bucket/prefix?endpoint=https://minio.internal:9000';
const wrong = (why: string): SetupError =>
  new SetupError(`BROWSERD_BLOBS is wrong: ${why}. Expected ${example}.`);

const knownOptions = ['endpoint', 'region'];
/** Of general buckets: https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html */
const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
/** Characters that are the same in a key, in an address and in a signature. */
const prefixName = /^[\w.-]+(\/[\w.-]+)*$/;
const regionName = /^[a-z0-9-]{1,40}$/;

export function readS3Place(address: string): S3Place {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    throw wrong('it is no address');
  }
  if (url.username || url.password)
    throw wrong(
      'it has credentials in it, which belong into BROWSERD_S3_ACCESS_KEY_ID and BROWSERD_S3_SECRET_ACCESS_KEY',
    );
  const bucket = url.host;
  if (!bucketName.test(bucket)) throw wrong(`\`${bucket}\` is no name of a bucket`);
  const path = url.pathname.replaceAll(/^\/+|\/+$/g, '');
  if (path !== '' && (!prefixName.test(path) || path.split('/').some((part) => /^\.+$/.test(part))))
    throw wrong('the prefix may have letters, digits, `_`, `-`, `.` and `/`');
  const unknown = [...url.searchParams.keys()].find((name) => !knownOptions.includes(name));
  if (unknown !== undefined) throw wrong(`there is no option \`${unknown}\``);
  const endpoint = url.searchParams.get('endpoint');
  const region = url.searchParams.get('region');
  if (region !== null && !regionName.test(region)) throw wrong(`\`${region}\` is no region`);
  const prefix = path === '' ? '' : `${path}/`;
  if (endpoint !== null) {
    const server = serverOf(endpoint);
    return { bucket, prefix, region: region ?? 'us-east-1', base: `${server}/${bucket}/`, endpoint: server };
  }
  if (region === null) throw wrong('without an `endpoint` it is Amazon’s, and `region` must say which');
  return { bucket, prefix, region, base: amazonBase(bucket, region), endpoint: undefined };
}

function serverOf(endpoint: string): string {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw wrong('`endpoint` must be the address of a server, with http:// or https://');
  return url.href.replace(/\/+$/, '');
}

/** Amazon’s certificate covers one more label before its name; a bucket with dots in its name has several. */
function amazonBase(bucket: string, region: string): string {
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  return bucket.includes('.')
    ? `https://s3.${region}.${domain}/${bucket}/`
    : `https://${bucket}.s3.${region}.${domain}/`;
}
