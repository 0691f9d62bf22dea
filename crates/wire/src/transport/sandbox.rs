//! The sandbox for a program, which limits it to the given files and blocks networks and other
//! processes. It combines Linux's Landlock, version 6 or later (Linux 6.12), with a filter of
//! system calls. Child processes inherit the sandbox, and no process can remove it.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use landlock::{
    ABI, Access, AccessFs, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreated,
    RulesetCreatedAttr, RulesetError, Scope, path_beneath_rules,
};
use rustix::thread::{CapabilitySet, CapabilitySets, set_capabilities};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch,
};

/// The required version of Landlock, which is the first to restrict signals to the sandbox.
const VERSION: ABI = ABI::V6;

/// Paths that every program may read and run. They are system folders and the files that runtimes
/// look up in them.
const SYSTEM: &[&str] = &[
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/etc/alternatives",
    "/etc/crypto-policies",
    "/etc/group",
    "/etc/java-11-openjdk",
    "/etc/java-17-openjdk",
    "/etc/java-21-openjdk",
    "/etc/java-25-openjdk",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/locale.alias",
    "/etc/localtime",
    "/etc/mime.types",
    "/etc/nsswitch.conf",
    "/etc/passwd",
    "/etc/ssl/openssl.cnf",
    "/etc/timezone",
    "/nix/store",
];

/// Paths from which runtimes read data about the machine and themselves, and devices without data.
const MACHINE: &[&str] = &[
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/zero",
    "/proc/cpuinfo",
    "/proc/filesystems",
    "/proc/loadavg",
    "/proc/meminfo",
    "/proc/self",
    "/proc/stat",
    "/proc/sys/kernel/osrelease",
    "/proc/sys/kernel/pid_max",
    "/proc/sys/kernel/threads-max",
    "/proc/sys/vm/max_map_count",
    "/proc/sys/vm/overcommit_memory",
    "/proc/uptime",
    "/proc/version",
    "/sys/devices/system/cpu",
    "/sys/devices/system/node",
    "/sys/fs/cgroup",
    "/sys/kernel/mm/hugepages",
    "/sys/kernel/mm/transparent_hugepage",
];

/// Lists system calls by their names in libc.
macro_rules! calls {
    ($($name:ident)*) => {
        &[$(libc::$name),*]
    };
}

/// System calls that are refused inside the sandbox. They affect networks, the memory of other
/// processes, other processes, or the system itself. Socket pairs that are only connected to each
/// other remain allowed.
const REFUSED: &[libc::c_long] = calls![
    SYS_socket
    SYS_io_uring_setup SYS_io_uring_enter SYS_io_uring_register

    SYS_ptrace SYS_process_vm_readv SYS_process_vm_writev SYS_process_madvise SYS_pidfd_getfd
    SYS_kcmp SYS_bpf SYS_perf_event_open SYS_userfaultfd

    SYS_mount SYS_umount2 SYS_move_mount SYS_open_tree SYS_fsopen SYS_fsmount SYS_fspick
    SYS_mount_setattr SYS_pivot_root SYS_chroot SYS_unshare SYS_setns
    SYS_open_by_handle_at SYS_name_to_handle_at

    SYS_init_module SYS_finit_module SYS_delete_module SYS_kexec_load SYS_reboot
    SYS_swapon SYS_swapoff SYS_acct SYS_quotactl SYS_syslog SYS_sethostname SYS_setdomainname
    SYS_settimeofday SYS_clock_settime SYS_clock_adjtime SYS_adjtimex
    SYS_add_key SYS_request_key SYS_keyctl
    SYS_fanotify_init SYS_vhangup SYS_personality

    // All child processes of a bot remain in its process group, so the whole group can be killed.
    SYS_setsid SYS_setpgid
    SYS_setpriority SYS_ioprio_set SYS_migrate_pages SYS_move_pages

    SYS_shmget SYS_shmat SYS_shmctl SYS_semget SYS_semctl SYS_msgget SYS_msgctl SYS_mq_open

    // Landlock does not prevent the owner of a file from changing its permissions and times.
    SYS_fchmod SYS_fchmodat SYS_fchown SYS_fchownat SYS_utimensat
    SYS_setxattr SYS_lsetxattr SYS_fsetxattr SYS_removexattr SYS_lremovexattr SYS_fremovexattr
];

/// The refused calls `fchmodat2`, `setxattrat`, `removexattrat`, `open_tree_attr` and
/// `file_setattr`, which are missing from libc. Their numbers are the same on all architectures.
const REFUSED_NEW: &[libc::c_long] = &[452, 463, 466, 467, 469];

/// Older variants of some of these system calls, which exist on some architectures.
#[cfg(target_arch = "x86_64")]
const REFUSED_OLD: &[libc::c_long] = calls![
    SYS_chmod SYS_chown SYS_lchown SYS_utime SYS_utimes SYS_futimesat
    SYS_iopl SYS_ioperm SYS_kexec_file_load
];
#[cfg(not(target_arch = "x86_64"))]
const REFUSED_OLD: &[libc::c_long] = &[];

/// System calls that a process may only use on itself, with 0 as the first argument.
const OF_ITSELF: &[libc::c_long] = calls![
    SYS_prlimit64
    SYS_sched_setaffinity SYS_sched_setattr SYS_sched_setparam SYS_sched_setscheduler
];

/// The bit that marks the second number of each system call on x86-64, for programs with 32-bit
/// pointers.
#[cfg(target_arch = "x86_64")]
const SHORT_POINTERS: libc::c_long = 0x4000_0000;

/// Reports whether this system supports the sandbox.
#[must_use]
pub fn are_possible() -> bool {
    static POSSIBLE: OnceLock<bool> = OnceLock::new();
    *POSSIBLE.get_or_init(|| ruleset().is_ok() && filter().is_ok())
}

/// Creates a ruleset that denies everything by default.
fn ruleset() -> Result<RulesetCreated, RulesetError> {
    Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(VERSION))?
        .scope(Scope::from_all(VERSION))?
        .create()
}

fn filter() -> io::Result<BpfProgram> {
    let arch = TargetArch::try_from(std::env::consts::ARCH).map_err(io::Error::other)?;
    let is_another = || {
        let zero = SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, 0);
        zero.and_then(|condition| SeccompRule::new(vec![condition]))
            .map_err(io::Error::other)
    };
    let mut refused = BTreeMap::new();
    for call in [REFUSED, REFUSED_NEW, REFUSED_OLD].concat() {
        refused.insert(call, Vec::new());
    }
    for &call in OF_ITSELF {
        refused.insert(call, vec![is_another()?]);
    }
    #[cfg(target_arch = "x86_64")]
    for (call, rules) in refused.clone() {
        refused.insert(call | SHORT_POINTERS, rules);
    }
    let says_no = SeccompAction::Errno(libc::EPERM as u32);
    let filter = SeccompFilter::new(refused, SeccompAction::Allow, says_no, arch);
    let program = filter.and_then(|filter| filter.try_into());
    program.map_err(io::Error::other)
}

/// Puts this process and its future child processes in the sandbox. In addition to the system's
/// files, they may read and run `readable` and write to `writable`.
///
/// # Errors
/// Returns an error if the system can't create the sandbox. The caller must not start the program
/// then.
pub fn raise(readable: &[PathBuf], writable: Option<&Path>) -> io::Result<()> {
    let read = AccessFs::from_read(VERSION);
    let system = SYSTEM.iter().chain(MACHINE).map(Path::new);
    let readable = system.chain(readable.iter().map(PathBuf::as_path));
    let null = read | AccessFs::WriteFile | AccessFs::Truncate;
    let walls = || {
        ruleset()?
            .add_rules(path_beneath_rules(readable, read))?
            .add_rules(path_beneath_rules(["/dev/null"], null))?
            .add_rules(path_beneath_rules(writable, AccessFs::from_all(VERSION)))?
            .restrict_self()
    };
    enclose(walls)
}

/// Puts this process in a sandbox with access only to files that are already open.
///
/// # Errors
/// Returns an error if the system can't create the sandbox.
pub fn seal() -> io::Result<()> {
    enclose(|| ruleset()?.restrict_self())
}

fn enclose<T>(walls: impl FnOnce() -> Result<T, RulesetError>) -> io::Result<()> {
    // Administrators' capabilities are dropped as well.
    let none = CapabilitySet::empty();
    set_capabilities(
        None,
        CapabilitySets {
            effective: none,
            permitted: none,
            inheritable: none,
        },
    )?;
    walls().map_err(io::Error::other)?;
    seccompiler::apply_filter(&filter()?).map_err(io::Error::other)
}

/// Prevents this process and its future child processes from sending signals to others, if the
/// system supports this restriction. A bot without a sandbox could otherwise end its keeper.
///
/// # Errors
/// Returns an error if the system refuses.
pub fn keep_signals() -> io::Result<()> {
    let keep = || {
        Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .scope(Scope::Signal)?
            .create()?
            .restrict_self()
    };
    keep().map(drop).map_err(io::Error::other)
}
