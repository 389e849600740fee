/**
 * The system calls that code in the runner's box does not need, as [x64, arm64] numbers of the kernel's own tables;
 * `null` where an architecture never had the call. What Node needs (files, memory, threads, the inherited sockets) is
 * not listed.
 */
type Numbers = readonly [x64: number | null, arm64: number | null];

export const refusedCalls: Record<string, Numbers> = {
  // sockets: the three inherited ones are all there are; no new one of any family (AF_VSOCK leaves a network namespace)
  socket: [41, 198],
  socketpair: [53, 199],
  connect: [42, 203],
  bind: [49, 200],
  listen: [50, 201],
  accept: [43, 202],
  accept4: [288, 242],
  // other processes: none may be started, watched, or left outside the group that is killed as one
  fork: [57, null],
  vfork: [58, null],
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  process_madvise: [440, 440],
  process_mrelease: [448, 448],
  kcmp: [312, 272],
  pidfd_open: [434, 434],
  pidfd_getfd: [438, 438],
  pidfd_send_signal: [424, 424],
  setsid: [112, 157],
  setpgid: [109, 154],
  unshare: [272, 97],
  setns: [308, 268],
  // memory that no limit of the process counts
  memfd_create: [319, 279],
  memfd_secret: [447, 447],
  shmget: [29, 194],
  shmat: [30, 196],
  msgget: [68, 186],
  semget: [64, 190],
  mq_open: [240, 180],
  userfaultfd: [323, 282],
  mbind: [237, 235],
  migrate_pages: [256, 238],
  move_pages: [279, 239],
  remap_file_pages: [216, 234],
  // mounts
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  swapon: [167, 224],
  swapoff: [168, 225],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  fanotify_init: [300, 262],
  mknod: [133, null],
  mknodat: [259, 33],
  // the kernel itself
  bpf: [321, 280],
  perf_event_open: [298, 241],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  io_setup: [206, 0],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  reboot: [169, 142],
  syslog: [103, 116],
  acct: [163, 89],
  personality: [135, 92],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  clock_adjtime: [305, 266],
  adjtimex: [159, 171],
  vhangup: [153, 58],
  lookup_dcookie: [212, 18],
  nfsservctl: [180, 42],
  modify_ldt: [154, null],
  iopl: [172, null],
  ioperm: [173, null],
  uselib: [134, null],
  vmsplice: [278, 75],
};

/** Calls that are refused or not depending on their arguments. */
export const judgedCalls = {
  clone: [56, 220],
  clone3: [435, 435],
  mmap: [9, 222],
  ioctl: [16, 29],
} as const satisfies Record<string, Numbers>;

/**
 * Calls added to the kernel after this one are unknown here, so they do not exist for the runner. Both tables number
 * them alike.
 */
export const newestKnownCall = 450;
