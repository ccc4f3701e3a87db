import { vi } from 'vitest'

// The peer range includes SDK 17: run the same tests with it instead of 15.
vi.mock('@stellar/stellar-sdk', () => import('stellar-sdk-17'))

await import('./everySdk.fixture.ts')
