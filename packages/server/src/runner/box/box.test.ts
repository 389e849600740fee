import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Hideout, openHideout } from '../hostile.fixture.ts';

/** Attempts of a program that has taken over everything inside the box: Node's permissions do not hold it. */
let hideout: Hideout;
beforeAll(async () => {
  hideout = await openHideout();
});
afterAll(async () => {
  await hideout[Symbol.asyncDispose]();
});

/** Tries each, and says what came of it. */
async function attempts(trials: Record<string, string>): Promise<Record<string, string>> {
  const program = `
    const attempt = async ([name, code]) => {
      try { return [name, 'worked: ' + (await eval('(async () => {' + code + '})()'))] }
      catch (error) { return [name, error.code ?? error.message] }
    };
    Promise.all(${JSON.stringify(Object.entries(trials))}.map(attempt)).then((all) => {
      console.log(JSON.stringify(Object.fromEntries(all)));
      process.exit();
    });`;
  const { said } = await hideout.inBox(program);
  return JSON.parse(said);
}

const event = (emitter: string): string =>
  `const it = ${emitter}; return new Promise((resolve, reject) => { it.on('error', reject); it.on('connect', () => resolve('connected')); it.on('listening', () => resolve('listening')); it.on('exit', resolve) })`;

describe('a program in the box', () => {
  test('sees no environment, no other process and no file of the machine', async () => {
    process.env.BROWSERD_SECRET_OF_TEST = 'secret';
    const found = await attempts({
      environment: 'return Object.keys(process.env).sort().join()',
      processes: `return fs.readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).join()`,
      parent: 'return process.ppid',
      root: `return fs.readdirSync('/').sort().join()`,
      devices: `return fs.readdirSync('/dev').sort().join()`,
      tmp: `return fs.readdirSync('/tmp').join()`,
      passwd: `return fs.readFileSync('/etc/passwd', 'utf8')`,
      shell: `return fs.readFileSync('/bin/sh').length`,
      home: `return fs.readdirSync('/root').join()`,
      initEnvironment: `return fs.readFileSync('/proc/1/environ', 'utf8').includes('secret')`,
      hostName: 'return os.hostname()',
      interfaces: 'return JSON.stringify(os.networkInterfaces())',
    });
    expect(found).toEqual({
      environment: 'worked: HOME,LANG,PWD,TMPDIR,TZ,UV_THREADPOOL_SIZE,UV_USE_IO_URING',
      processes: 'worked: 1',
      parent: 'worked: 0',
      // on x64 the loader of programs lies in a folder of its own
      root: expect.stringMatching(/^worked: app,dev,etc,lib,(lib64,)?proc,tmp$/),
      devices: 'worked: null,urandom',
      tmp: 'worked: ',
      passwd: 'ENOENT',
      shell: 'ENOENT',
      home: 'ENOENT',
      initEnvironment: 'worked: false',
      hostName: 'worked: runner',
      interfaces: expect.stringMatching(/^worked: \{\}$|^EPERM|ERR_SYSTEM_ERROR/),
    });
  });

  test('writes nowhere but to its own small memory', async () => {
    const found = await attempts({
      root: `fs.writeFileSync('/x', '')`,
      toolbox: `fs.writeFileSync('/app/runner/child/child.js', '')`,
      compiled: `fs.appendFileSync('/app/playwright-core/lib/coreBundle.js.v8', 'x')`,
      library: `fs.writeFileSync('/etc/ld.so.cache', '')`,
      device: `fs.writeFileSync('/dev/x', '')`,
      node: `fs.writeSync(6, 'x')`,
      ownMemory: `fs.writeFileSync('/proc/sys/kernel/core_pattern', 'x')`,
      disk: `const piece = Buffer.alloc(1 << 20); let written = 0; for (let i = 0; i < 64; i++) try { for (;;) { fs.appendFileSync('/tmp/' + i, piece); written++ } } catch (error) { if (error.code === 'ENOSPC') break } return written <= 64`,
    });
    expect(found).toEqual({
      root: 'EROFS',
      toolbox: expect.stringMatching(/EROFS|EACCES/),
      compiled: expect.stringMatching(/EROFS|EACCES/),
      library: expect.stringMatching(/EROFS|EACCES/),
      device: 'EROFS',
      node: 'EBADF',
      ownMemory: expect.stringMatching(/EROFS|EACCES|EPERM/),
      disk: 'worked: true',
    });
  });

  test('opens no socket of any kind', async () => {
    const server = createServer().listen(0, '0.0.0.0');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    const address = Object.values(networkInterfaces())
      .flat()
      .find((each) => each?.family === 'IPv4' && !each.internal)?.address;
    const net = `require('net')`;
    const found = await attempts({
      loopback: event(`${net}.connect(${port}, '127.0.0.1')`),
      machine: event(`${net}.connect(${port}, '${address ?? '127.0.0.1'}')`),
      metadata: event(`${net}.connect(80, '169.254.169.254')`),
      ipv6: event(`${net}.connect(80, '::1')`),
      unix: event(`${net}.connect('/run/docker.sock')`),
      abstract: event(`${net}.connect('\\0anything')`),
      listen: event(`${net}.createServer().listen(0)`),
      listenUnix: event(`${net}.createServer().listen('/tmp/sock')`),
      udp: `const it = require('dgram').createSocket('udp4'); return new Promise((resolve, reject) => { it.on('error', reject); it.send('x', 53, '1.1.1.1', (error) => error ? reject(error) : resolve('sent')) })`,
      dns: `return (await require('dns').promises.lookup('example.com')).address`,
      resolver: `return (await new (require('dns').promises.Resolver)({ timeout: 300, tries: 1 }).resolve4('example.com')).join()`,
      http: `return (await fetch('http://127.0.0.1:${port}')).status`,
      inspector: `require('inspector').open(0); return require('inspector').url()`,
    });
    server.close();
    for (const [name, outcome] of Object.entries(found))
      expect(`${name} ${outcome}`).not.toMatch(/worked: (?!undefined)/);
    expect(found).toMatchObject({
      loopback: 'EPERM',
      unix: 'EPERM',
      abstract: 'EPERM',
      listen: 'EPERM',
      udp: 'EPERM',
    });
  });

  test('starts no process and reaches none', async () => {
    const found = await attempts({
      self: event(`require('child_process').spawn('/proc/self/fd/6', ['-e', '0'])`),
      fork: event(`require('child_process').fork('/app/runner/child/child.js')`),
      shell: `return require('child_process').execSync('true')`,
      anySignal: `let reached = 0; const own = fs.readdirSync('/proc/self/task'); for (let pid = 2; pid < 70000; pid++) if (!own.includes(String(pid))) try { process.kill(pid, 0); reached++ } catch {} return reached`,
      group: `try { process.kill(-1, 'SIGTERM'); return 'sent' } catch (error) { throw error }`,
      addon: `process.dlopen({ exports: {} }, '/proc/self/exe')`,
      root: 'process.setuid(0); return process.getuid()',
    });
    for (const name of ['self', 'fork', 'shell', 'group', 'addon', 'root'])
      expect(`${name}: ${found[name]}`).not.toContain('worked');
    expect(found.anySignal).toBe('worked: 0');
  });

  test('takes no more memory than it is allowed, however it asks', async () => {
    const heap = await hideout.inBox('const kept = []; for (;;) kept.push(new Array(1e5).fill({}))');
    expect(heap.complained).toContain('heap out of memory');
    const found = await attempts({
      buffers:
        'const kept = []; let size = 0; try { for (;;) { kept.push(Buffer.alloc(1 << 24, 1)); size += 16 } } catch { return size < 1100 }',
      shared:
        'const kept = []; let size = 0; try { for (;;) { kept.push(new Uint8Array(new SharedArrayBuffer(1 << 24)).fill(1)); size += 16 } } catch { return size < 1100 }',
      wasm: 'const kept = []; let size = 0; try { for (;;) { const it = new WebAssembly.Memory({ initial: 256 }); new Uint8Array(it.buffer).fill(1); kept.push(it); size += 16 } } catch { return size < 1100 }',
      files:
        'let open = 0; try { for (;;) { fs.openSync("/dev/null"); open++ } } catch { return open < 300 }',
    });
    expect(found).toMatchObject({ files: 'worked: true' });
    for (const name of ['buffers', 'shared', 'wasm']) expect(`${name} ${found[name]}`).not.toContain('false');
  });

  test('cannot fill the machine with threads', async () => {
    const program = `
      const { Worker } = require('worker_threads'); let started = 0;
      process.on('uncaughtException', () => {});
      const more = () => { if (started > 2000) { console.log('endless'); process.exit() } const it = new Worker('setInterval(() => {}, 1000)', { eval: true }); it.on('error', (error) => { console.log(error.code); process.exit() }); it.on('online', () => { started++; more() }) };
      more(); setTimeout(() => { console.log('stuck at', started); process.exit() }, 8000)`;
    const { said } = await hideout.inBox(program);
    expect(said).not.toContain('endless');
  });
});
