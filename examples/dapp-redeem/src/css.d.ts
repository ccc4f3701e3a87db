// Vite imports styles.
/// <reference types="vite/client" />
