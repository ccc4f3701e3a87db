/**
 * What the Lighthouse program can assert, by the kind of account: each assertion with its name and its parts in
 * order, numbered from 0. From the program's own IDL, as npm's lighthouse-sdk 2.1.0 has it.
 *
 * A part is a letter: `1` `2` `4` `8` `g` a number of 1, 2, 4, 8, 16 bytes, and `p` `q` `r` `t` `u` one that may be
 * negative; `k` 32 bytes; `b` 0 or 1; `n` and `s` one of 9 and of 4 constants; `O` a key and `o` a number of 8 bytes,
 * after a byte that says whether there is one; `v` a number of variable length; `y` bytes after their length; `i` one
 * of the 8 comparisons of numbers, `e` one of the two of anything; a letter of {@link nestedForms} an assertion of
 * that form.
 */
export const assertionForms = {
  data: 'bool:be u8:1i i8:pi u16:2i i16:qi u32:4i i32:ri u64:8i i64:ti u128:gi i128:ui bytes:ye key:ke',
  delta: 'info:vI data:vvD',
  info: 'lamports:8i length:8i owner:ke program:ne rentEpoch:8i signs:be isWritable:be executable:be hash:kvv',
  mint: 'mintAuthority:Oe supply:8i decimals:1i isInitialized:be freezeAuthority:Oe',
  token:
    'mint:ke owner:ke amount:8i delegate:Oe state:1i isNative:oe delegatedAmount:8i closeAuthority:Oe ownerIsDerived:',
  stake: 'state:se meta:M stake:S flags:1i',
  loader: 'state:se buffer:B program:P programData:U',
  clock: 'slot:8i epochStart:ti epoch:8i leaderScheduleEpoch:8i time:ti',
  leaf: 'leaf:4k',
  treeConfig: 'creator:ke delegate:ke capacity:8i minted:8i isPublic:be isDecompressible:1e',
} as const

/** Assertions inside of others. */
export const nestedForms: Readonly<Record<string, string>> = {
  I: 'lamports:ui length:ui owner:e rentEpoch:ui',
  D: 'u8:qi i8:qi u16:ri i16:ri u32:ti i32:ti u64:ui i64:ui bytes:2e',
  M: 'rentExemptReserve:8i staker:ke withdrawer:ke lockupTime:ti lockupEpoch:8i custodian:ke',
  S: 'voter:ke stake:8i activationEpoch:8i deactivationEpoch:8i creditsObserved:8i',
  B: 'authority:Oe',
  P: 'programData:ke',
  U: 'upgradeAuthority:Oe slot:8i',
}

/** The comparisons, by their number. */
export const comparisons = ['=', '!=', '>', '<', '>=', '<=', 'contains', 'lacks'] as const
