//! The sums of a block on AMX, the matrix unit of x86-64.
//!
//! Its instructions are written out, because the compiler's own names for them are not stable yet. The system must allow
//! a process to use its registers, once; each thread says what they hold before it uses them. From the first load of a tile
//! to the last store there is one block of instructions, which declares the registers: nothing in between can change them.
#![expect(unsafe_code, reason = "instructions of the matrix unit")]

use super::{BLOCK, Block, Line, SIDE, Term as Pair, Tile};
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

/// Where a term's tiles begin, and how they lie. The instructions read its fields by their places.
#[repr(C)]
struct Term {
    /// The first 16 rows of the left side, and the 16 below.
    left: [*const Line; 2],
    /// Bytes between rows of the left side.
    stride: usize,
    /// The first of the tiles that stand side by side, and the second.
    right: [*const Tile; 2],
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
        assert!((1..=2).contains(&terms.len()), "one or two terms");
        let term = |(left, panel): &Pair<'_>| {
            let (first, tile) = (row * left.stride, column / SIDE * panel.stride);
            assert!(first + (BLOCK - 1) * left.stride + left.lines <= left.values.len(), "32 rows of the left side");
            let last = tile + panel.stride + panel.tiles_down;
            assert!(last <= panel.tiles.len(), "two tiles across of the right side");
            assert!(left.lines == panel.tiles_down && panel.tiles_down > 0, "the depth of both sides");
            Term {
                left: [first, first + SIDE * left.stride].map(|at| left.values[at..].as_ptr()),
                stride: left.stride * size_of::<Line>(),
                right: [tile, tile + panel.stride].map(|at| panel.tiles[at..].as_ptr()),
                count: panel.tiles_down,
            }
        };
        let all = [term(&terms[0]), term(&terms[terms.len() - 1])];
        // SAFETY: the registers were set up on this thread. By the checks above, 32 rows of `count` lines and two columns of
        // `count` tiles are there to be read for each of one or two terms, none of them without tiles. Four tiles of 16 rows
        // and 16 columns fill the block of 32 by 32, whose rows are 128 bytes apart.
        unsafe {
            asm!(
                "tilezero tmm0",
                "tilezero tmm1",
                "tilezero tmm2",
                "tilezero tmm3",
                "3:",
                "mov {upper}, [{term}]",
                "mov {lower}, [{term} + 8]",
                "mov {stride}, [{term} + 16]",
                "mov {first}, [{term} + 24]",
                "mov {second}, [{term} + 32]",
                "mov {count}, [{term} + 40]",
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
                "add {term}, 48",
                "dec {terms}",
                "jnz 3b",
                "tilestored [{out} + {out_row}], tmm0",
                "tilestored [{out} + {out_row} + 64], tmm1",
                "tilestored [{below} + {out_row}], tmm2",
                "tilestored [{below} + {out_row} + 64], tmm3",
                term = inout(reg) all.as_ptr() => _,
                terms = inout(reg) terms.len() => _,
                tile_row = in(reg) size_of::<Tile>() / SIDE,
                out = in(reg) block.0.as_mut_ptr(),
                below = in(reg) block.0[SIDE..].as_mut_ptr(),
                out_row = in(reg) size_of::<[f32; BLOCK]>(),
                upper = out(reg) _,
                lower = out(reg) _,
                stride = out(reg) _,
                first = out(reg) _,
                second = out(reg) _,
                count = out(reg) _,
                out("tmm0") _,
                out("tmm1") _,
                out("tmm2") _,
                out("tmm3") _,
                out("tmm4") _,
                out("tmm5") _,
                out("tmm6") _,
                out("tmm7") _,
                options(nostack),
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

const _: () = assert!(
    size_of::<Line>() == 64 && size_of::<Tile>() == 1024 && size_of::<Setup>() == 64 && size_of::<Term>() == 48
);
