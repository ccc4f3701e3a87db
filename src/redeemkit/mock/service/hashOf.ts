import { type Hex, keccak256, stringToHex } from 'viem'

/** 32 bytes that stand for a text: the same text, the same bytes. */
export const hashOf = (text: string): Hex => keccak256(stringToHex(text))
