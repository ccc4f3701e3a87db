import * as z from 'zod/mini'
import { oneOf } from './oneOf.ts'

const statuses = ['pending', 'completed', 'failed'] as const

/** State of a mint or burn job (PROTOCOL.md 2.7 and 11.16). */
export const jobStatus = oneOf(
  [
    z.strictObject({ status: z.literal('pending') }),
    z.strictObject({ status: z.literal('completed'), value: z.nullable(z.string()) }),
    z.strictObject({ status: z.literal('failed'), error: z.string() }),
  ],
  {
    // A list of literals asked for a value of any type.
    pick: ({ status }) => (statuses as readonly unknown[]).indexOf(status),
    by: 'status',
    values: statuses,
  },
)
export type JobStatus = z.infer<typeof jobStatus>
