import type { Address } from 'viem'
import type { Signer } from './toSigner.ts'

/** Milliseconds that a wallet has to return its capabilities once account and chain are known. */
export const patienceMs = 250

/**
 * Whether the wallet announces that it accepts the purchase with a request to sign (PROTOCOL.md 4.7). Never prompts and never
 * throws; false for a wallet that does not answer in time.
 */
export async function takesIntent(
  wallet: Signer,
  account: { address: Address; chainId: number },
): Promise<boolean> {
  try {
    return isAnnounced(await wallet.getCapabilities?.(account), account.chainId)
  } catch {
    return false
  }
}

/** Reads an answer to `wallet_getCapabilities` (EIP-5792). The entry of the chain takes precedence over that of all chains, `0x0`. */
function isAnnounced(answer: unknown, chainId: number): boolean {
  const entries = Object.entries(Object(answer))
  const [own, every] = [chainId, 0].map((id) =>
    entries.find(([key]) => /^0x/.test(key) && Number(key) === id),
  )
  const { supported, version } = Object(redeemIntentOf(own) ?? redeemIntentOf(every))
  return supported === true && version === 1
}

const redeemIntentOf = (entry: [string, unknown] | undefined): unknown => Object(entry?.[1]).redeemIntent

/** Resolves with the answer, or with `false` after `ms` milliseconds. */
export async function inTime(answer: Promise<boolean>, ms: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, ms, false)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
