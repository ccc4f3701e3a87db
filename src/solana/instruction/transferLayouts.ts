import type { Layouts } from './layout.ts'

const creation = [{}, ['payer', 'account', 'owner', 'mint', 'systemProgram', 'tokenProgram']] as const
const memo = { memo: [{ text: 'allText' }, []] } as const

/** The instructions of which a USDC transfer consists. */
export const transferLayouts = {
  token: { transferChecked: [{ amount: 8, decimals: 1 }, ['source', 'mint', 'destination', 'owner']] },
  associatedToken: { create: creation, createIdempotent: creation },
  memo,
  memoV1: memo,
  computeBudget: {
    setComputeUnitLimit: [{ units: 4 }, []],
    setComputeUnitPrice: [{ microLamports: 8 }, []],
  },
} as const satisfies Layouts
