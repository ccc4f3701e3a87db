ALTER TABLE "programs" ADD COLUMN "signature" text;--> statement-breakpoint
ALTER TABLE "programs" ADD COLUMN "minimum_gas" integer;