import { formatAmount } from '../../../../redeemkit/core/amount/formatAmount.ts'
import { formatBase58, formatBase64 } from '../../../../redeemkit/solana/encoding.ts'
import { programs } from '../../../../redeemkit/solana/instruction/programs.ts'
import { type AccountState, readAmount } from '../accountStore.ts'
import type { Ledger } from '../createLedger.ts'
import type { Config } from './params.ts'

/** An account in the shape of a node's answer. */
export function encodeAccount(ledger: Ledger, key: string, state: AccountState, config: Config) {
  const { encoding = 'base58' } = config
  const { data } = state
  const parsed = encoding === 'jsonParsed' ? parseTokenAccount(ledger, state) : undefined
  return {
    data: parsed ?? (encoding === 'base58' ? [formatBase58(data), 'base58'] : [formatBase64(data), 'base64']),
    executable: ledger.isProgram(key),
    lamports: Number(state.lamports),
    owner: state.owner,
    rentEpoch: 0,
    space: state.data.length,
  }
}

/** Whether it is a token account of one of the two programs. */
export function isTokenAccount({ owner, data }: AccountState): boolean {
  return (
    (owner === programs.token && data.length === 165) || (owner === programs.token2022 && data.length >= 165)
  )
}

function parseTokenAccount(ledger: Ledger, state: AccountState) {
  const program = state.owner === programs.token ? 'spl-token' : 'spl-token-2022'
  if (isTokenAccount(state))
    return {
      program,
      space: state.data.length,
      parsed: {
        type: 'account',
        info: {
          isNative: false,
          mint: formatBase58(state.data.slice(0, 32)),
          owner: formatBase58(state.data.slice(32, 64)),
          state: state.data[108] === 2 ? 'frozen' : 'initialized',
          tokenAmount: tokenAmount(ledger, state),
        },
      },
    }
  if (state.owner === programs.token && state.data.length === 82)
    return {
      program,
      space: 82,
      parsed: {
        type: 'mint',
        info: {
          decimals: state.data[44],
          isInitialized: state.data[45] === 1,
          supply: readAmount(state.data, 36).toString(),
          mintAuthority: state.data[0] === 1 ? formatBase58(state.data.slice(4, 36)) : null,
          freezeAuthority: state.data[46] === 1 ? formatBase58(state.data.slice(50, 82)) : null,
        },
      },
    }
  return undefined
}

/** What a token account holds. */
export function tokenAmount(ledger: Ledger, state: AccountState) {
  const mint = ledger.read(formatBase58(state.data.slice(0, 32)))
  return uiAmount(readAmount(state.data, 64), mint?.data[44] ?? 0)
}

/** An amount of a token, in all the forms in which a node writes it. */
export function uiAmount(amount: bigint, decimals: number) {
  const uiAmountString = formatAmount(amount, { decimals })
  return { amount: amount.toString(), decimals, uiAmount: Number(uiAmountString), uiAmountString }
}
