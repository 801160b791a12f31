// Where the page is: addresses have the cluster where the console has several.
const named = location.pathname.match(/^\/ui\/clusters\/([^/]+)/);
// Its name; null where there is one without a name.
export const cluster = named && decodeURIComponent(named[1]);
export const pages = named ? named[0] : "/ui";
export const apiRoot = named ? apiRootOf(cluster) : "/api";
export function apiRootOf(name) { return `/api/clusters/${encodeURIComponent(name)}`; }
export const pagesOf = (name) => `/ui/clusters/${encodeURIComponent(name)}`;
// A page's address within this cluster: /ui/topics becomes /ui/clusters/NAME/topics.
export const within = (to) => named && /^\/ui(?![^/?])/.test(to) && !to.startsWith("/ui/clusters/") ? pages + to.slice(3) : to;
// What stands behind the cluster: topics/orders.
export const rest = (address) => address === pages || address.startsWith(`${pages}/`) ? address.slice(pages.length + 1) : null;
