import type { Hex } from 'viem'

/**
 * Code that stands in a wallet's place while a redeem is tried that nobody has signed: it answers every call with its selector,
 * which is what ERC-1271 and the receivers of ERC-721 and ERC-1155 say when they agree.
 */
export const agreeableCode: Hex = '0x60003560e01c60e01b60005260206000f3'
