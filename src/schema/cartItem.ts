import * as z from 'zod/mini'
/** placeholder until the record is in */
export const chargebackProtectionData = z.array(z.record(z.string(), z.unknown()))
