// Styles are Vite's to import.
/// <reference types="vite/client" />
