//! The bytes of a compressed layer as the numbers of its tiles, in pieces.

use miniz_oxide::inflate::stream::{InflateState, inflate};
use miniz_oxide::{DataFormat, MZError, MZFlush, MZStatus};
use ndscript_base::budget::Budget;
use ndscript_base::room;
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// At most this many bytes are unpacked at a time.
const BLOCK: usize = 1 << 12;
/// The bytes of a block of zstd at most; they are unpacked at once.
const ZSTD_BLOCK: usize = 1 << 17;
/// The bytes of a decoder's state, apart from its window.
const BYTES_OF_STATE: usize = 1 << 16;
/// The widest window of a layer in zstd.
const WIDEST_WINDOW: u64 = 1 << 23;

/// How the bytes of a layer are packed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Compression {
    Zlib,
    Gzip,
    Zstd,
}

impl Compression {
    pub fn named(name: &str) -> Option<Compression> {
        match name {
            "zlib" => Some(Compression::Zlib),
            "gzip" => Some(Compression::Gzip),
            "zstd" => Some(Compression::Zstd),
            _ => None,
        }
    }
}

enum Decoder {
    Inflate(Box<InflateState>),
    /// A decoder that cannot be cloned; a fork starts with a new one.
    Zstd(Option<Box<FrameDecoder>>),
}

impl Clone for Decoder {
    fn clone(&self) -> Decoder {
        match self {
            Decoder::Inflate(state) => Decoder::Inflate(state.clone()),
            Decoder::Zstd(_) => Decoder::Zstd(None),
        }
    }
}

/// Packed bytes being turned into numbers.
#[derive(Clone)]
pub struct Unpacker {
    packed: Vec<u8>,
    at: usize,
    decoder: Decoder,
    /// How many blocks of zstd were read, how many bytes have been unpacked, and the bytes that are not a whole
    /// number yet.
    blocks: usize,
    unpacked: usize,
    rest: Vec<u8>,
    /// The size of the decoder's window.
    window: usize,
}

const BROKEN: &str = "the layer cannot be unpacked: its text is broken";

impl Unpacker {
    /// # Errors
    /// If the bytes do not begin as those of the compression do.
    pub fn new(packed: Vec<u8>, compression: Compression) -> Result<Unpacker, &'static str> {
        let (at, decoder, window) = match compression {
            Compression::Zlib => {
                let state = InflateState::new_boxed(DataFormat::Zlib);
                (0, Decoder::Inflate(state), 0)
            }
            Compression::Gzip => {
                let head = length_of_gzip_head(&packed).ok_or(BROKEN)?;
                let state = InflateState::new_boxed(DataFormat::Raw);
                (head, Decoder::Inflate(state), 0)
            }
            Compression::Zstd => {
                let window = window_of_zstd(&packed).ok_or(BROKEN)?;
                if window > WIDEST_WINDOW {
                    return Err("the layer needs more than 8 MB to be unpacked: save it with zlib");
                }
                (0, Decoder::Zstd(None), window as usize)
            }
        };
        Ok(Unpacker {
            packed,
            at,
            decoder,
            blocks: 0,
            unpacked: 0,
            rest: Vec::new(),
            window,
        })
    }

    pub fn bytes(&self) -> usize {
        BYTES_OF_STATE + self.window + ZSTD_BLOCK + room::row(&self.packed) + room::row(&self.rest)
    }

    /// The bytes that the next block may take, apart from the numbers.
    pub fn room(&self) -> usize {
        match self.decoder {
            Decoder::Inflate(_) => BLOCK,
            Decoder::Zstd(_) => 2 * ZSTD_BLOCK,
        }
    }

    /// Unpacks a block, which fits into memory; true at the end.
    ///
    /// # Errors
    /// If the bytes are broken, or more numbers than wanted.
    pub fn resume(
        &mut self,
        numbers: &mut Vec<u32>,
        wanted: usize,
        budget: &mut Budget,
    ) -> Result<bool, &'static str> {
        let is_done = match &mut self.decoder {
            Decoder::Inflate(state) => {
                let mut block = [0; BLOCK];
                let end = (self.at + BLOCK).min(self.packed.len());
                let input = &self.packed[self.at..end];
                let result = inflate(state, input, &mut block, MZFlush::None);
                self.at += result.bytes_consumed;
                self.rest.extend_from_slice(&block[..result.bytes_written]);
                self.unpacked += result.bytes_written;
                budget.spend(result.bytes_consumed + result.bytes_written + 1);
                match result.status {
                    Ok(MZStatus::StreamEnd) => true,
                    Ok(_) if result.bytes_consumed + result.bytes_written > 0 => false,
                    Ok(_) | Err(MZError::Buf) => {
                        return Err("the text of a compressed layer ends too soon");
                    }
                    Err(_) => return Err(BROKEN),
                }
            }
            Decoder::Zstd(slot) => {
                let mut decoder = match slot.take() {
                    Some(decoder) => decoder,
                    None => {
                        let (decoder, at) = begin_zstd(&self.packed, self.blocks)?;
                        self.at = at;
                        decoder
                    }
                };
                let mut left = &self.packed[self.at..];
                let is_done = decode_block(&mut decoder, &mut left)?;
                self.at = self.packed.len() - left.len();
                self.blocks += 1;
                // Bytes in the window stay there until it is done.
                let found = decoder.collect().unwrap_or_default();
                self.unpacked += found.len();
                budget.spend(ZSTD_BLOCK / 8);
                self.rest.extend_from_slice(&found);
                *slot = Some(decoder);
                is_done
            }
        };
        if self.unpacked > 4 * wanted {
            return Err("a compressed layer has more numbers than cells");
        }
        let (whole, rest) = self.rest.as_chunks::<4>();
        room::grow(numbers, whole.len());
        numbers.extend(whole.iter().map(|bytes| u32::from_le_bytes(*bytes)));
        self.rest = rest.to_vec();
        Ok(is_done)
    }
}

/// A decoder that has read this many blocks, and their output; and its position.
fn begin_zstd(packed: &[u8], blocks: usize) -> Result<(Box<FrameDecoder>, usize), &'static str> {
    let mut decoder = Box::new(FrameDecoder::new());
    decoder.set_max_window_size(WIDEST_WINDOW);
    let mut left = packed;
    decoder.reset(&mut left).map_err(|_| BROKEN)?;
    for _ in 0..blocks {
        decode_block(&mut decoder, &mut left)?;
        decoder.collect();
    }
    Ok((decoder, packed.len() - left.len()))
}

fn decode_block(decoder: &mut FrameDecoder, left: &mut &[u8]) -> Result<bool, &'static str> {
    let one = BlockDecodingStrategy::UptoBlocks(1);
    decoder.decode_blocks(left, one).map_err(|_| BROKEN)
}

/// Where the packed bytes of a gzip file begin.
fn length_of_gzip_head(bytes: &[u8]) -> Option<usize> {
    let flags = match bytes.get(..10)? {
        [0x1f, 0x8b, 8, flags, ..] => *flags,
        _ => return None,
    };
    let mut at = 10;
    if flags & 4 != 0 {
        let length = bytes.get(at..at + 2)?;
        at += 2 + usize::from(u16::from_le_bytes([length[0], length[1]]));
    }
    // A name and a comment, each with a zero at its end.
    for flag in [8, 16] {
        if flags & flag != 0 {
            at += bytes.get(at..)?.iter().position(|byte| *byte == 0)? + 1;
        }
    }
    if flags & 2 != 0 {
        at += 2;
    }
    (at <= bytes.len()).then_some(at)
}

/// The size of the window of a zstd frame, by its header (RFC 8878, 3.1.1.1).
fn window_of_zstd(bytes: &[u8]) -> Option<u64> {
    let rest = bytes.strip_prefix(&[0x28, 0xb5, 0x2f, 0xfd])?;
    let (head, rest) = rest.split_first()?;
    if head & 0x20 == 0 {
        let window = *rest.first()?;
        let base = 1_u64 << (10 + (window >> 3));
        return Some(base + base / 8 * u64::from(window & 7));
    }
    let dictionary = [0, 1, 2, 4][usize::from(head & 3)];
    let length = [1, 2, 4, 8][usize::from(head >> 6)];
    let bytes = rest.get(dictionary..dictionary + length)?;
    let size = bytes
        .iter()
        .rev()
        .fold(0, |size: u64, byte| size << 8 | u64::from(*byte));
    Some(if length == 2 { size + 256 } else { size })
}

#[cfg(test)]
mod tests {
    use super::*;
    use miniz_oxide::deflate::{compress_to_vec, compress_to_vec_zlib};
    use ruzstd::encoding::{CompressionLevel, compress_to_vec as compress_zstd};

    fn numbers() -> Vec<u32> {
        (0..200_000_u64).map(|at| (at * at % 1009) as u32).collect()
    }

    /// Unpacks with a fork after every block.
    fn unpack(
        packed: Vec<u8>,
        compression: Compression,
        wanted: usize,
    ) -> Result<Vec<u32>, &'static str> {
        let mut unpacking = Unpacker::new(packed, compression)?;
        let mut found = Vec::new();
        let mut blocks = 0;
        while !unpacking.resume(&mut found, wanted, &mut Budget::at_once())? {
            unpacking = unpacking.clone();
            blocks += 1;
        }
        assert!(blocks > 3, "{blocks}");
        Ok(found)
    }

    #[test]
    fn all_compressions_give_what_went_in() {
        let numbers = numbers();
        let bytes: Vec<u8> = numbers
            .iter()
            .flat_map(|number| number.to_le_bytes())
            .collect();
        let mut gzip = vec![0x1f, 0x8b, 8, 8 | 16 | 2 | 4, 0, 0, 0, 0, 0, 3, 2, 0, 7, 7];
        gzip.extend(b"name\0comment\0cc");
        gzip.extend(compress_to_vec(&bytes, 6));
        let all = [
            (compress_to_vec_zlib(&bytes, 6), Compression::Zlib),
            (gzip, Compression::Gzip),
            (
                compress_zstd(&bytes[..], CompressionLevel::Fastest),
                Compression::Zstd,
            ),
        ];
        for (packed, compression) in all {
            let found = unpack(packed.clone(), compression, numbers.len());
            assert!(found.is_ok_and(|found| found == numbers), "{compression:?}");
            let found = unpack(packed.clone(), compression, numbers.len() - 50_000);
            assert_eq!(
                found.unwrap_err(),
                "a compressed layer has more numbers than cells"
            );
            assert!(
                unpack(
                    packed[..packed.len() / 2].to_vec(),
                    compression,
                    numbers.len()
                )
                .is_err()
            );
        }
    }
}
