import { address, lamports } from '@solana/kit'
import type { LiteSVM } from 'litesvm'
import { tokenAccountOf } from '../../../redeemkit/solana/address.ts'
import { parseBase58 } from '../../../redeemkit/solana/encoding.ts'
import { programs } from '../../../redeemkit/solana/transaction/programs.ts'

export type AccountState = { lamports: bigint; owner: string; data: Uint8Array }

export function emptyAccount(): AccountState {
  return { lamports: 0n, owner: programs.system, data: new Uint8Array() }
}

/** Reads and writes accounts without the runtime. Creates the USDC mint. */
export function accountStore(svm: LiteSVM, usdcMint: string) {
  function read(key: string): AccountState | undefined {
    const account = svm.getAccount(address(key))
    if (!account.exists || account.lamports === 0n) return undefined
    return { lamports: account.lamports, owner: account.programAddress, data: Uint8Array.from(account.data) }
  }
  function write(key: string, state: AccountState): void {
    svm.setAccount({
      address: address(key),
      lamports: lamports(state.lamports),
      programAddress: address(state.owner),
      data: state.data,
      space: BigInt(state.data.length),
      executable: false,
    })
  }
  write(usdcMint, {
    lamports: svm.minimumBalanceForRentExemption(82n),
    owner: programs.token,
    data: newMint(),
  })
  return {
    read,
    write,
    isProgram: (key: string): boolean => {
      const account = svm.getAccount(address(key))
      return account.exists && account.executable
    },
    fundSol: (key: string, amount: bigint) => {
      const state = read(key) ?? emptyAccount()
      write(key, { ...state, lamports: state.lamports + amount })
    },
    /** In raw units. Creates the token account if needed. */
    fundUsdc: (owner: string, amount: bigint) => {
      const key = tokenAccountOf({ owner, mint: usdcMint })
      const found = read(key)
      // The address may hold lamports before it becomes a token account.
      const data = found?.owner === programs.token ? found.data : newTokenAccount(usdcMint, owner)
      addTo(data, 64, amount)
      write(key, { lamports: svm.minimumBalanceForRentExemption(165n), owner: programs.token, data })
      const minted = read(usdcMint)
      if (minted === undefined) return
      addTo(minted.data, 36, amount)
      write(usdcMint, minted)
    },
    /** In raw units; 0 without a token account. */
    usdcOf: (owner: string): bigint => {
      const state = read(tokenAccountOf({ owner, mint: usdcMint }))
      return state === undefined ? 0n : readAmount(state.data, 64)
    },
  }
}

/** The mint has 6 decimals and no mint authority, because the sandbox creates tokens by writing accounts. */
function newMint(): Uint8Array {
  const data = new Uint8Array(82)
  data[44] = 6
  data[45] = 1
  return data
}

function newTokenAccount(mint: string, owner: string): Uint8Array {
  const data = new Uint8Array(165)
  data.set(parseBase58(mint, { field: 'mint', length: 32 }), 0)
  data.set(parseBase58(owner, { field: 'owner', length: 32 }), 32)
  data[108] = 1
  return data
}

export function readAmount(data: Uint8Array, at: number): bigint {
  return new DataView(data.buffer, data.byteOffset).getBigUint64(at, true)
}

function addTo(data: Uint8Array, at: number, amount: bigint): void {
  new DataView(data.buffer, data.byteOffset).setBigUint64(at, readAmount(data, at) + amount, true)
}
