import type { Address, Hex } from 'viem'

/** The first of the keys that development chains hand out (Anvil, Hardhat): everybody has it. */
export const mockKey: Hex = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
/** Its account. */
export const mockWalletAddress: Address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
/** The second of them, for a person who chose another account. */
export const otherMockKey: Hex = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'
