import type { Address } from 'viem'
import type { Signer } from './toSigner.ts'

/** How many milliseconds to wait for the wallet's capabilities after account and chain are known. */
export const patienceMs = 250

/**
 * Returns whether the wallet announces that it accepts the purchase as part of a signing request (PROTOCOL.md 4.7). False if the wallet
 * does not respond in time. Never prompts and never throws.
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

/** Reads the response to `wallet_getCapabilities` (EIP-5792). The chain's entry takes precedence over `0x0`, the entry for all chains. */
function isAnnounced(answer: unknown, chainId: number): boolean {
  const entries = Object.entries(Object(answer))
  const [own, every] = [chainId, 0].map((id) =>
    entries.find(([key]) => /^0x/.test(key) && Number(key) === id),
  )
  const { supported, version } = Object(redeemIntentOf(own) ?? redeemIntentOf(every))
  return supported === true && version === 1
}

const redeemIntentOf = (entry: [string, unknown] | undefined): unknown => Object(entry?.[1]).redeemIntent

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
