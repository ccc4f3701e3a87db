import type { Address, Hex } from 'viem'
import { ModuleLoadError } from '../../core/loadModule.ts'
import { recoverAddress } from '../viem.ts'
import { classifySignature } from './classifySignature.ts'
import { normalizeSignature } from './normalizeSignature.ts'

/** A valid signature by an unknown key. */
const known = { hash: '0x02', signature: { r: '0x01', s: '0x01', yParity: 0 } } as const

/** Loads viem's secp256k1 code, without which `recoverSigner` would find no key. viem otherwise loads it at the first recovery. */
export async function loadCurve(): Promise<void> {
  try {
    await recoverAddress(known)
  } catch (cause) {
    throw new ModuleLoadError(cause)
  }
}

export declare namespace loadCurve {
  type ErrorType = ModuleLoadError
}

export async function recoverSigner(digest: Hex, signature: Hex): Promise<Address | undefined> {
  try {
    const packed = normalizeSignature(signature)
    if (classifySignature(packed) !== 'packed') return undefined
    return await recoverAddress({ hash: digest, signature: packed })
  } catch {
    // v, r or s is out of range, or r is not the x coordinate of a curve point
    return undefined
  }
}
