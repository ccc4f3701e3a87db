import * as z from 'zod/mini'
import { isStorableText } from '../../http/storableText.ts'

/** By what a purchase of the card form is known, and paid once: 1 to 256 characters (PROTOCOL.md 10.8). */
export const purchaseIdText = z.string().check(
  z.refine((text) => text.trim() !== '' && text.length <= 256 && isStorableText(text), {
    error: 'expected 1 to 256 characters',
  }),
)
