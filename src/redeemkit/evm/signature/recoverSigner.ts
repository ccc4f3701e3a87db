import type { Address, Hex } from 'viem'
import { InvalidSignatureError } from '../../core/errors/inputErrors.ts'
import { recoverAddress } from '../viem.ts'
import { classifySignature } from './classifySignature.ts'
import { normalizeSignature } from './normalizeSignature.ts'

/** Loads the curve, which viem does when it first recovers a key. */
export async function loadCurve(): Promise<void> {
  await recoverAddress({ hash: '0x', signature: '0x' }).catch(() => undefined)
}

/** The address of the key that signed a digest; `undefined` when no key can have. */
export async function recoverSigner(digest: Hex, signature: Hex): Promise<Address | undefined> {
  let packed: Hex
  try {
    packed = normalizeSignature(signature)
  } catch (error) {
    if (error instanceof InvalidSignatureError) return undefined
    throw error
  }
  if (classifySignature(packed) !== 'packed') return undefined
  try {
    return await recoverAddress({ hash: digest, signature: packed })
  } catch {
    // r is not the abscissa of a point: no key makes such a signature
    return undefined
  }
}
