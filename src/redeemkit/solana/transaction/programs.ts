/** The programs whose instructions are decoded. */
export const programs = {
  system: '11111111111111111111111111111111',
  token: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  token2022: 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
  associatedToken: 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
  memo: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  memoV1: 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
  memoV4: 'Memo4c2pN8afCj432Lb7RMVKi9PbQnnW7ewFFaV3oAH',
  computeBudget: 'ComputeBudget111111111111111111111111111111',
  stake: 'Stake11111111111111111111111111111111111111',
  lighthouse: 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95',
} as const

export type ProgramName = keyof typeof programs
