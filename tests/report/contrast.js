
const pixel = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
const over = (colours) => {
  pixel.clearRect(0, 0, 1, 1);
  for (const colour of colours) { pixel.fillStyle = colour; pixel.fillRect(0, 0, 1, 1); }
  return [...pixel.getImageData(0, 0, 1, 1).data].slice(0, 3);
};
const light = (colour) => {
  const linear = (part) => (part <= 10 ? part / 3294.6 : ((part / 255 + .055) / 1.055) ** 2.4);
  const [r, g, b] = colour.map(linear);
  return .2126 * r + .7152 * g + .0722 * b;
};
let worst = [21, ''];
for (const node of document.querySelectorAll('body *')) {
  const hasText = [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim());
  if (!hasText || !node.checkVisibility() || node.closest('.note, script')) continue;
  const behind = [];
  for (let at = node; at; at = at.parentElement) behind.unshift(getComputedStyle(at).backgroundColor);
  const back = light(over(behind)), front = light(over([...behind, getComputedStyle(node).color]));
  const contrast = (Math.max(back, front) + .05) / (Math.min(back, front) + .05);
  if (contrast < worst[0]) worst = [contrast, node.className || node.tagName];
}
return worst;
