// SPDX-License-Identifier: Apache-2.0
// What to try, when the profile has it: `advice` of a launch, {text, gain, at}, the largest gain first. The model has tried each.

function showAdvice(launch, jump) {
  const advice = launch.advice ?? [];
  document.getElementById("advice-card").hidden = !advice.length;
  const items = advice.map(({ text, gain, at }, number) =>
    element(
      "li",
      {},
      text,
      gain ? shown(`advice.${number}.gain`, gain, `about ${gain.toFixed(2)} times as fast`, "span", { class: "badge" }) : null,
      at ? [" ", placeLink(at, jump)] : null,
    ),
  );
  fill("advice", element("ol", { class: "findings" }, items));
}
