import { vi } from 'vitest'

// The peer dependency range includes SDK 17. Run the same tests with SDK 17 instead of 15.
vi.mock('@stellar/stellar-sdk', () => import('stellar-sdk-17'))

await import('./everySdk.fixture.ts')
