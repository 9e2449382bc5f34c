//! The sums of a block on AMX, the matrix unit of x86-64.
//!
//! Its instructions are written out, because the compiler's own names for them are not stable yet. The system must allow
//! a process to use its registers, once; each thread says what they hold before it uses them.
#![expect(unsafe_code, reason = "instructions of the matrix unit")]

use super::{BLOCK, Block, DEPTH, Line, SIDE, Term as Pair, Tile};
use std::arch::asm;
use std::arch::x86_64::__cpuid_count;
use std::marker::PhantomData;
use std::sync::OnceLock;

/// Linux's request for the use of the registers, and their number.
const ASK_FOR_REGISTERS: libc::c_ulong = 0x1023;
const TILE_DATA: libc::c_ulong = 18;

/// The unit, ready on this thread until it is dropped.
pub(super) struct Unit {
    /// Registers belong to a thread.
    on_this_thread: PhantomData<*const ()>,
}

/// What the eight registers hold: 16 rows of 64 bytes each.
#[repr(C, align(64))]
struct Setup {
    palette: u8,
    start_row: u8,
    reserved: [u8; 14],
    bytes_of_row: [u16; 16],
    rows: [u8; 16],
}

/// Where a term's tiles begin, and how they lie.
#[repr(C)]
struct Term {
    left: *const Line,
    /// Bytes between rows of the left side.
    stride: usize,
    right: *const Tile,
    /// Bytes between two tiles that stand side by side.
    across: usize,
    /// Tiles along the depth.
    count: usize,
}

impl Unit {
    /// The unit, if this CPU has one and the system lets us use it.
    pub fn new() -> Option<Self> {
        static IS_THERE: OnceLock<bool> = OnceLock::new();
        if !*IS_THERE.get_or_init(is_there) {
            return None;
        }
        let mut setup = Setup { palette: 1, start_row: 0, reserved: [0; 14], bytes_of_row: [0; 16], rows: [0; 16] };
        setup.bytes_of_row[..8].fill(size_of::<Line>() as u16);
        setup.rows[..8].fill(SIDE as u8);
        // SAFETY: the unit is there, and the 64 bytes of a setup are read.
        unsafe { asm!("ldtilecfg [{}]", in(reg) &raw const setup, options(nostack, readonly, preserves_flags)) };
        Some(Self { on_this_thread: PhantomData })
    }

    /// The sums of the block that begins at a row, and at a column of the panels.
    pub fn sum(&self, terms: &[Pair<'_>], row: usize, column: usize, block: &mut Block) {
        let mut all: [Option<Term>; 2] = [None, None];
        assert!((1..=all.len()).contains(&terms.len()), "one or two terms");
        for (place, (left, panel)) in all.iter_mut().zip(terms) {
            let (first, tile) = (row * left.stride, column / SIDE * panel.stride);
            assert!(first + (BLOCK - 1) * left.stride + left.lines <= left.values.len(), "32 rows of the left side");
            let last = tile + panel.stride + panel.tiles_down;
            assert!(last <= panel.tiles.len(), "two tiles across of the right side");
            assert!(left.lines == panel.tiles_down && panel.tiles_down > 0, "the depth of both sides");
            *place = Some(Term {
                left: left.values[first..].as_ptr(),
                stride: left.stride * size_of::<Line>(),
                right: panel.tiles[tile..].as_ptr(),
                across: panel.stride * size_of::<Tile>(),
                count: panel.tiles_down,
            });
        }
        // SAFETY: nothing but registers; they were set up on this thread.
        unsafe { asm!("tilezero tmm0", "tilezero tmm1", "tilezero tmm2", "tilezero tmm3", options(nomem, nostack)) };
        for term in all.into_iter().flatten() {
            // SAFETY: by the checks above, 32 rows of `count` lines and two columns of `count` tiles are there to be
            // read. The compiler itself uses none of these registers, so they keep their values from one term to the next.
            unsafe { add(&term) };
        }
        let out = block.0.as_mut_ptr();
        // SAFETY: four tiles of 16 rows and 16 columns fill the block of 32 by 32, whose rows are 128 bytes apart.
        unsafe {
            asm!(
                "tilestored [{out} + {stride}], tmm0",
                "tilestored [{out} + {stride} + 64], tmm1",
                "tilestored [{below} + {stride}], tmm2",
                "tilestored [{below} + {stride} + 64], tmm3",
                out = in(reg) out,
                below = in(reg) out.add(SIDE),
                stride = in(reg) size_of::<[f32; BLOCK]>(),
                options(nostack, preserves_flags),
            );
        }
    }
}

impl Drop for Unit {
    fn drop(&mut self) {
        // SAFETY: the unit is there; nothing uses its registers after this.
        unsafe { asm!("tilerelease", options(nomem, nostack, preserves_flags)) };
    }
}

/// Adds a term to the four sums.
///
/// # Safety
/// The unit is set up on this thread, and all that the term says is there can be read.
unsafe fn add(term: &Term) {
    // SAFETY: by the caller's promise; only memory that the term names is read.
    unsafe {
        asm!(
            "2:",
            "tileloadd tmm4, [{upper} + {stride}]",
            "tileloadd tmm6, [{first} + {tile_row}]",
            "tileloadd tmm7, [{second} + {tile_row}]",
            "tileloadd tmm5, [{lower} + {stride}]",
            "tdpbf16ps tmm0, tmm4, tmm6",
            "tdpbf16ps tmm1, tmm4, tmm7",
            "tdpbf16ps tmm2, tmm5, tmm6",
            "tdpbf16ps tmm3, tmm5, tmm7",
            "add {upper}, 64",
            "add {lower}, 64",
            "add {first}, 1024",
            "add {second}, 1024",
            "dec {count}",
            "jnz 2b",
            upper = inout(reg) term.left => _,
            lower = inout(reg) term.left.byte_add(SIDE * term.stride) => _,
            stride = in(reg) term.stride,
            first = inout(reg) term.right => _,
            second = inout(reg) term.right.byte_add(term.across) => _,
            tile_row = in(reg) 2 * DEPTH,
            count = inout(reg) term.count => _,
            options(nostack, readonly),
        );
    }
}

fn is_there() -> bool {
    /// The bits of bf16 and of the registers, in the fourth number of CPUID's leaf 7.
    const BITS: u32 = 1 << 22 | 1 << 24;
    let has_leaf = __cpuid_count(0, 0).eax >= 7;
    if !has_leaf || __cpuid_count(7, 0).edx & BITS != BITS {
        return false;
    }
    // SAFETY: a request that changes nothing but what this process may use.
    unsafe { libc::syscall(libc::SYS_arch_prctl, ASK_FOR_REGISTERS, TILE_DATA) == 0 }
}

const _: () = assert!(size_of::<Line>() == 64 && size_of::<Tile>() == 1024 && size_of::<Setup>() == 64);
