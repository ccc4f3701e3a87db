import { sha256 } from '@noble/hashes/sha2.js'
import { finding } from '../../core/finding/finding.ts'
import type { Effect } from '../../core/inspection/effect.ts'
import { line } from '../../core/inspection/values.ts'
import { accountValue, type Place, solanaEffect } from './instructionValues.ts'

/** Raydium's AMM program, which identifies its instructions by a number. */
const raydiumAmm = '675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8'

/** The Stake Pool program, and Sanctum's copies of it. */
const stakePools: Readonly<Record<string, string>> = {
  SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy: 'Stake Pool',
  SP12tWFxD9oJsVWNavTTBZvMbA6gkAmxtVgxdqvyvhY: 'Sanctum',
  SPMBzsVUuoHA4Jm6KunbsotaahvVikZs1JyTW6iJvbn: 'Sanctum',
}

/** Names of popular programs, by the addresses in their documentation. Their instructions are not decoded. */
const names: Readonly<Record<string, string>> = {
  AddressLookupTab1e1111111111111111111111111: 'Address Lookup Table',
  JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4: 'Jupiter',
  [raydiumAmm]: 'Raydium',
  CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK: 'Raydium',
  CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C: 'Raydium',
  whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc: 'Orca',
  LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo: 'Meteora',
  ...stakePools,
  MarBmsSgKXdrN1egZf5sqe1TMai9K1rChYNDJgjq7aD: 'Marinade',
  metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s: 'Metaplex',
  Vote111111111111111111111111111111111111111: 'Vote',
  SQDS4ep65T869zMMBKyuUq6aD6EgTu8psMjkvj52pCf: 'Squads',
}

/** Whether a call exchanges a stake account for pool tokens: `DepositStake` or `DepositStakeWithSlippage`. */
export const isStakeDeposit = (programId: string, data: Uint8Array | undefined) =>
  stakePools[programId] !== undefined && (data?.[0] === 9 || data?.[0] === 23)

const swaps: readonly string[] = [
  ...['route', 'route_v2', 'shared_accounts_route', 'shared_accounts_route_v2', 'route_with_token_ledger'],
  ...['shared_accounts_route_with_token_ledger', 'exact_out_route', 'shared_accounts_exact_out_route'],
  ...['swap', 'swap_v2', 'swap2', 'two_hop_swap', 'two_hop_swap_v2', 'swap_base_input', 'swap_base_output'],
]

export function otherEffect(programId: string, data: Uint8Array, place: Place): Effect {
  const values = { program: accountValue(programId, place, names[programId]) }
  const isSwap = names[programId] !== undefined && isSwapCall(programId, data)
  return solanaEffect(isSwap ? 'swap' : 'program.unknown', values, {
    lines: [line('program', values.program)],
    weight: isSwap ? 3 : 2,
    findings: [
      finding('warning', 'UNKNOWN_INSTRUCTION', 'The transaction calls a program whose effect is unknown.', {
        fix: 'Sign it only if you trust the site that asks.',
      }),
    ],
  })
}

function isSwapCall(programId: string, data: Uint8Array): boolean {
  // swapBaseIn and swapBaseOut
  if (programId === raydiumAmm) return data[0] === 9 || data[0] === 11
  const called = data.slice(0, 8).join()
  return swaps.some((name) => discriminator(name) === called)
}

/** Returns the first 8 bytes of a call, which the Anchor framework derives from the function's name. */
const discriminator = (name: string) =>
  sha256(new TextEncoder().encode(`global:${name}`))
    .slice(0, 8)
    .join()
