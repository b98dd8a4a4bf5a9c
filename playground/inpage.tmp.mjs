import { fileURLToPath } from "node:url";
import { preview } from "vite";
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";
// tests/server.ts
const PAGE = fileURLToPath("file:///work/main/crates/cli/page/");
/** Serves the page under a path, since it may be offered under any. */
async function serve(base = "/some/path/") {
	const server = await preview({
		configFile: false,
		root: fileURLToPath("file:///work/main/playground/"),
		base,
		build: { outDir: PAGE },
		preview: {
			port: 0,
			host: "127.0.0.1"
		},
		logLevel: "error"
	});
	const address = server.resolvedUrls?.local[0];
	if (!address) throw new Error("the server of the page has no address");
	return {
		address,
		close: () => server.close()
	};
}
// tests/chromium.ts
const FLAGS = [
	"--no-sandbox",
	"--no-first-run",
	"--disable-background-networking",
	"--disable-component-update",
	"--disable-sync",
	"--disable-quic",
	"--use-gl=angle",
	"--use-angle=gles-egl",
	"--ignore-gpu-blocklist"
];
async function launch() {
	const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
	if (!existsSync(executablePath)) throw new Error(`${executablePath} is missing: install Debian's package chromium, or set CHROMIUM`);
	return chromium.launch({
		executablePath,
		args: FLAGS
	});
}
const DESK = {
	width: 1280,
	height: 800
};
/** Opens a page that keeps a list of all errors. */
async function open(browser, address, options = {}) {
	const context = await browser.newContext({
		viewport: DESK,
		...options
	});
	await context.grantPermissions(["clipboard-read", "clipboard-write"]);
	const page = await context.newPage();
	page.setDefaultTimeout(6e4);
	const errors = [];
	const foreign = [];
	page.on("console", (message) => {
		if (message.type() === "error" || message.type() === "warning") errors.push(message.text());
	});
	page.on("pageerror", (error) => errors.push(String(error)));
	page.on("request", (request) => {
		const { protocol, host } = new URL(request.url());
		if (protocol.startsWith("http") && host !== new URL(address).host) foreign.push(request.url());
	});
	await page.goto(address);
	return {
		page,
		errors,
		foreign
	};
}
// inpage.test.tmp.mts
const served = await serve();
const browser = await launch();
const { page } = await open(browser, `${served.address}#room=world`, { viewport: {
	width: 1280,
	height: 720
} });
await page.getByRole("form", { name: "Generate a scene" }).getByLabel("Bodies").fill("5000");
await page.getByRole("button", { name: "Generate" }).click();
await page.locator("#world .caption", { hasText: "5000 bodies" }).waitFor();
await page.waitForTimeout(2e3);
await page.evaluate(() => {
	const { session } = window.clearance.world;
	window.seen = [];
	const add = session.times.add.bind(session.times);
	session.times.add = (f) => {
		window.seen.push([performance.now(), f.milliseconds]);
		add(f);
	};
});
await page.getByRole("button", { name: "Run" }).click();
for (let k = 0; k < 3; k++) {
	await page.waitForTimeout(4e3);
	const seen = await page.evaluate(() => {
		const s = window.seen;
		window.seen = [];
		return s;
	});
	const ms = seen.map((s) => s[1]).sort((a, b) => a - b);
	const span = seen.at(-1)[0] - seen[0][0];
	console.log(`frames ${seen.length}, ${(1e3 * (seen.length - 1) / span).toFixed(1)}/s, median step ${ms[ms.length >> 1]}, least ${ms[0]}`);
}
await browser.close();
await served.close();
process.exit(0);
export {};
