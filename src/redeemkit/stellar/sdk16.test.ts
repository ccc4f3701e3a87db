import { vi } from 'vitest'

// The peer range includes SDK 16: run the same tests with it instead of 15.
vi.mock('@stellar/stellar-sdk', () => import('stellar-sdk-16'))

await import('./everySdk.fixture.ts')
