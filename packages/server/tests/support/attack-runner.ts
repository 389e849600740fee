import { expect } from 'vitest';
import { type Attack, done, type World } from './attack-world.ts';

/** From the script’s own process, after it has left the vm: files, processes, sockets, and what Playwright can do itself. */
const refusesAll =
  (code: string, where: 'run' | 'runOutside' = 'runOutside') =>
  async (world: World): Promise<void> => {
    const answer = await world[where](code);
    expect(answer).toMatchObject({ success: true });
    expect(done(answer.result)).toEqual([]);
  };

export const runnerAttacks: Attack[] = [
  {
    name: 'leaves the vm, so that what follows tries the walls behind it',
    async attempt(world) {
      expect(await world.runOutside('return typeof proc.pid')).toMatchObject({ result: 'number' });
    },
  },
  {
    name: 'by the constructors of the objects it was given finds no way to compile code in the runner',
    attempt: refusesAll(
      `const ways = { page, context, browser, console, URL, Buffer, sleep, error: await page.click('x', { timeout: 1 }).catch((e) => e) };
      return all(Object.fromEntries(Object.entries(ways).map(([name, thing]) => [name, () => {
        const make = thing.constructor.constructor;
        if (make === Function) throw new Error('only its own');
        return make('return process')();
      }])));`,
      'run',
    ),
  },
  {
    name: 'by require, import, process and globalThis of the script gets nothing of Node',
    attempt: refusesAll(
      `return all({
        require: () => require('fs'), process: () => process.env, module: () => module.constructor, fetch: () => fetch(args.service),
        import: () => import('node:fs'), importData: () => import('data:text/javascript,export default process'),
        evalImport: () => eval('import("node:fs")'), functionImport: () => new Function('return import("node:fs")')(),
        getBuiltin: () => globalThis.process.getBuiltinModule('fs'), global: () => global.process, worker: () => new Worker('x'),
      });`,
      'run',
    ),
  },
  {
    name: 'reads no environment of the service and no key from its own command line',
    async attempt(world) {
      const { result } = await world.runOutside(
        'return { env: { ...proc.env }, argv: [...proc.argv, ...proc.execArgv, proc.title] };',
      );
      expect(Object.keys(result.env).filter((name) => /BROWSERD|ATTACK|KEY|TOKEN|PATH$/.test(name))).toEqual(
        [],
      );
    },
  },
  {
    name: 'asks for a diagnostic report, which tells nothing of the service',
    async attempt(world) {
      const { result } = await world.runOutside('return JSON.stringify(proc.report.getReport())');
      expect(String(result)).not.toMatch(/BROWSERD_|ATTACK_SECRET/);
    },
  },
  {
    name: 'reads files of the machine',
    attempt: refusesAll(`const fs = need('fs');
      const paths = ['/etc/passwd', '/etc/shadow', '/etc/hosts', '/etc/hostname', '/root', '/home', '/var', '/usr', args.secretFile];
      return all(Object.fromEntries(paths.map((path) => [path, () =>
        fs.statSync(path).isDirectory() ? fs.readdirSync(path).join() : fs.readFileSync(path, 'utf8')])));`),
  },
  {
    name: 'reads the data folder, the first key, the database and the profiles of browsers',
    attempt: refusesAll(`const fs = need('fs');
      const paths = [args.dataDir, args.dataDir + '/admin-key', args.dataDir + '/node-id', args.scratchDir, args.dataDir + '/..'];
      return all(Object.fromEntries(paths.map((path) => [path, () =>
        fs.statSync(path).isDirectory() ? fs.readdirSync(path).join() : fs.readFileSync(path, 'utf8')])));`),
  },
  {
    name: 'reads a file of the machine by another spelling of its path',
    attempt: refusesAll(`const fs = need('fs'), os = need('os'), path = need('path');
      const tmp = os.tmpdir(), secret = args.secretFile;
      const up = path.relative(tmp, secret);
      return all({
        buffer: () => fs.readFileSync(Buffer.from(secret)), bytes: () => fs.readFileSync(new Uint8Array(Buffer.from(secret))),
        url: () => fs.readFileSync(new URL('file://' + secret)), dots: () => fs.readFileSync(tmp + '/' + up),
        relative: () => fs.readFileSync(up), root: () => fs.readFileSync('/proc/self/root' + secret),
        cwd: () => fs.readFileSync('/proc/self/cwd/' + up), slashes: () => fs.readFileSync('//' + secret),
        link: () => { fs.symlinkSync(secret, tmp + '/link'); return fs.readFileSync(tmp + '/link'); },
        shortLink: () => { fs.symlinkSync(up, tmp + '/short'); return fs.readFileSync(tmp + '/short'); },
        hard: () => { fs.linkSync(secret, tmp + '/hard'); return fs.readFileSync(tmp + '/hard'); },
        promise: () => fs.promises.readFile(secret), open: () => fs.openSync(secret), blob: async () => (await fs.openAsBlob(secret)).text(),
        copy: () => fs.copyFileSync(secret, tmp + '/copy'), cp: () => fs.cpSync(secret, tmp + '/cp'), glob: () => { const f = fs.globSync(path.dirname(secret) + '/*'); if (!f.length) throw new Error('none'); return f; },
        stream: () => connecting(() => fs.createReadStream(secret), 'data'), watch: () => fs.watch(path.dirname(secret)).close(),
        env: () => proc.loadEnvFile(secret), stat: () => fs.statSync(secret).size, exists: () => { if (!fs.existsSync(secret)) throw new Error('no'); },
      });`),
  },
  {
    name: 'loads code from a file of the machine',
    attempt: refusesAll(`const { createRequire } = need('module');
      return all({
        require: () => createRequire(args.secretFile)(args.secretFile), main: () => createRequire('/')('./etc/passwd'),
        import: () => Host('path', 'return import(path)')('file://' + args.secretFile), extension: () => proc.dlopen({ exports: {} }, args.secretFile),
        engine: () => need('crypto').setEngine(args.secretFile),
      });`),
  },
  {
    name: 'reads /proc of the service and of other processes',
    attempt: refusesAll(`const fs = need('fs');
      const files = [args.pid, args.victim, proc.ppid].flatMap((pid) => ['environ', 'cmdline', 'maps', 'root/etc/passwd', 'fd'].map((name) => '/proc/' + pid + '/' + name));
      return all(Object.fromEntries([...files, '/proc/net/tcp', '/proc/1/environ', '/proc/self/mountinfo'].map((path) => [path, () =>
        path.endsWith('fd') ? fs.readdirSync(path).join() : fs.readFileSync(path, 'latin1')])));`),
  },
  {
    name: 'writes outside its own folder',
    attempt: refusesAll(`const fs = need('fs'), path = need('path');
      const to = (name) => path.join(args.outside, name);
      return all({
        write: () => fs.writeFileSync(to('a'), 'x'), append: () => fs.appendFileSync(to('b'), 'x'), folder: () => fs.mkdirSync(to('c')),
        link: () => fs.symlinkSync('/etc', to('d')), temp: () => fs.mkdtempSync(to('e')), stream: () => connecting(() => fs.createWriteStream(to('f')), 'open'),
        rename: () => { fs.writeFileSync(need('os').tmpdir() + '/g', 'x'); fs.renameSync(need('os').tmpdir() + '/g', to('g')); },
        mode: () => fs.chmodSync(args.outside, 0), times: () => fs.utimesSync(args.outside, 0, 0), remove: () => fs.rmSync(args.secretFile),
        truncate: () => fs.truncateSync(args.secretFile), etc: () => fs.writeFileSync('/etc/attack', 'x'), root: () => fs.writeFileSync('/attack', 'x'),
        toolbox: () => fs.writeFileSync(proc.argv[1], 'x'), shm: () => fs.writeFileSync('/dev/shm/attack', 'x'), data: () => fs.writeFileSync(args.dataDir + '/attack', 'x'),
      });`),
  },
  {
    name: 'has Node’s own tools write outside its own folder',
    attempt: refusesAll(`const to = (name) => args.outside + '/' + name;
      return all({
        report: () => proc.report.writeReport(to('report')), heap: () => need('v8').writeHeapSnapshot(to('heap')),
        cache: () => { const { status } = need('module').enableCompileCache(to('cache')); if (status !== 1) throw new Error('status ' + status); },
        database: () => Host('return import("node:sqlite")')().then(({ DatabaseSync }) => new DatabaseSync(to('db'))),
      });`),
  },
  {
    name: 'starts a process',
    attempt: refusesAll(`const child = need('child_process');
      const run = (made) => { if (made.error) throw made.error; return new Promise((resolve, reject) => { made.on('error', reject); made.on('spawn', resolve); }); };
      const sync = (made) => { if (made.error) throw made.error; return made.stdout; };
      return all({
        spawn: () => run(child.spawn('/bin/sh', ['-c', 'id'])), exec: () => run(child.exec('id')), file: () => run(child.execFile(proc.execPath, ['-v'])),
        sync: () => sync(child.spawnSync('/bin/sh', ['-c', 'id'])), execSync: () => child.execSync('id'), fork: () => run(child.fork(proc.argv[1])),
        execve: () => proc.execve('/bin/sh', ['sh'], {}), again: () => proc.execve('/proc/self/exe', ['node', '-v'], {}), cluster: () => run(need('cluster').fork()),
      });`),
  },
  {
    name: 'starts a thread, a debugger, WebAssembly with files, or native code',
    attempt: refusesAll(`return all({
        worker: () => new (need('worker_threads').Worker)('1', { eval: true }), inspector: () => need('inspector').open(0, '127.0.0.1'),
        session: () => new (need('inspector').Session)().connect(), wasi: () => new (need('wasi').WASI)({ version: 'preview1', preopens: { '/': '/' } }),
        native: () => proc.dlopen({ exports: {} }, '/lib/libc.so.6'), debug: () => proc._debugProcess(args.pid),
        test: () => connecting(() => need('node:test').run({ files: [args.secretFile] }), 'test:start'),
      });`),
  },
  {
    name: 'takes Node’s internal bindings',
    attempt:
      refusesAll(`const names = ['fs', 'spawn_sync', 'process_wrap', 'tcp_wrap', 'pipe_wrap', 'udp_wrap', 'inspector', 'os', 'contextify', 'natives', 'util'];
      return all(Object.fromEntries(names.flatMap((name) => [
        [name, () => Object.keys(proc.binding(name))], ['linked ' + name, () => Object.keys(proc._linkedBinding(name))]])));`),
  },
  {
    name: 'signals a process of the machine',
    gapInProcessMode: 'Node’s permissions do not cover signals to processes of the same user',
    attempt: refusesAll(`const said = await all({
        probe: () => proc.kill(args.victim, 0), kill: () => proc.kill(args.victim, 'SIGKILL'), nice: () => need('os').setPriority(args.victim, 19),
      });
      // Long enough for its death to be heard in this case and not in the next.
      await sleep(200);
      return said;`),
  },
  {
    name: 'becomes another user',
    attempt: refusesAll(
      `return all({ user: () => proc.setuid(0), effective: () => proc.seteuid(0), group: () => proc.setgid(0), groups: () => proc.setgroups([0]), init: () => proc.initgroups('root', 0) });`,
    ),
  },
  {
    name: 'opens a socket to the service or to a listener of the machine',
    attempt: refusesAll(`const net = need('net'), { port } = new URL(args.service);
      return all({
        service: () => connecting(() => net.connect(Number(port), '127.0.0.1')), tcp: () => connecting(() => net.connect(args.canary.tcp, '127.0.0.1')),
        v6: () => connecting(() => net.connect(args.canary.tcp, '::ffff:127.0.0.1')), unix: () => connecting(() => net.connect(args.canary.unix)),
        abstract: () => connecting(() => net.connect('\\0' + args.canary.abstract)), tls: () => connecting(() => need('tls').connect(args.canary.tcp, '127.0.0.1'), 'secureConnect'),
      });`),
  },
  {
    name: 'sends and receives UDP, and listens on loopback',
    async attempt(world) {
      // Node refuses it outside of any call that could catch, which fails the script.
      const send = `need('dgram').createSocket('udp4').send('x', args.canary.udp, '127.0.0.1'); await sleep(200);`;
      await world.runOutside(send);
      const bind = `return all({ bind: () => connecting(() => need('dgram').createSocket('udp4').bind(0), 'listening') });`;
      const listen = `return all({ listen: () => connecting(() => need('net').createServer().listen(0, '127.0.0.1'), 'listening') });`;
      for (const code of [bind, listen]) {
        const { success, result } = await world.runOutside(code);
        expect(success ? done(result) : []).toEqual([]);
      }
    },
  },
  {
    name: 'speaks HTTP by Node’s own clients',
    attempt: refusesAll(`const url = 'http://127.0.0.1:' + args.canary.tcp;
      return all({
        http: () => connecting(() => need('http').get(url), 'response'), https: () => connecting(() => need('https').get(url.replace('http', 'https')), 'response'),
        http2: () => connecting(() => need('http2').connect(url)), fetch: () => Host('url', 'return fetch(url)')(url),
        socket: () => new Promise((resolve, reject) => { const s = Host('url', 'return new WebSocket(url)')(url.replace('http', 'ws')); s.onopen = resolve; s.onerror = reject; }),
        events: () => new (Host('return EventSource')())(url),
      });`),
  },
  {
    name: 'listens for others to come',
    attempt: refusesAll(`const net = need('net');
      const listening = (...where) => connecting(() => net.createServer().listen(...where), 'listening');
      return all({
        tcp: () => listening(0), unix: () => listening(need('os').tmpdir() + '/s'), abstract: () => listening('\\0attack'),
        http: () => connecting(() => need('http').createServer().listen(0), 'listening'),
      });`),
  },
  {
    name: 'asks a name server',
    attempt: refusesAll(`const dns = need('dns').promises;
      return all({ lookup: () => dns.lookup('attack.test'), resolve: () => dns.resolve4('attack.test'), own: () => { const r = new dns.Resolver(); r.setServers(['127.0.0.1:' + args.canary.udp]); return r.resolve4('attack.test'); } });`),
  },
];
