// SPDX-License-Identifier: Apache-2.0
// The report of one profile. window.aclimb is what scripts and tests use.

window.aclimb = { ready: false, numbers: shownNumbers };

start((profile) => {
  const model = new Model(profile),
    source = new Source(model);
  const jump = (site) => source.jump(site);
  const timeline = new Timeline(document.getElementById("timeline"), model, {
    onChoose: (choice) => showDetails(choice, jump),
    onRange: (chosen) => range.show(chosen),
  });
  const range = new RangePanel(timeline, model, jump),
    minimap = new Minimap(document.getElementById("minimap"), timeline);
  let all = false;

  // What stands out: matches of a search before the critical path.
  const emphasise = () => {
    timeline.emphasis = search.found?.count ? search.found.emphasis : (timeline.path?.emphasis ?? null);
    timeline.later();
  };
  const search = new SearchBox(timeline, model, emphasise),
    path = new PathPanel(timeline, jump, (chosen) => {
      timeline.path = chosen;
      emphasise();
    });
  const lookFor = (query) => {
    search.search(query);
    search.step(1);
    document.getElementById("timeline-title").scrollIntoView({ block: "nearest" });
  };
  source.onLine = (site) => lookFor(shortPlace(site));

  const everything = element(
    "button",
    {
      type: "button",
      "aria-pressed": "false",
      title: "Lanes of all launches",
      onclick: () => {
        all = !all;
        everything.setAttribute("aria-pressed", String(all));
        showTimeline();
      },
    },
    "All launches",
  );

  function showTimeline() {
    timeline.show(all ? profile.launches.map((each) => each.id) : [window.aclimb.launch]);
    timeline.view(...(all ? model.whole() : timeline.aroundLaunch()));
    timeline.setRange(null);
    search.again();
    timeline.draw();
    showDetails(null);
  }

  function select(id) {
    const launch = model.launch(id);
    window.aclimb.launch = id;
    showHead(profile, launch);
    showTiles(profile, launch);
    showAdvice(launch, jump);
    showLaunches(profile, id, select);
    showPipes(launch);
    showStalls(launch, jump);
    showMemoryFlow(profile, launch);
    showRoofline(launch);
    source.show(launch);
    showTimeline();
    path.show(CriticalPath.of(model, launch));
  }

  Object.assign(window.aclimb, { timeline, minimap, search, path, redraws: timeline.redraws, select });
  window.aclimb.zoom = (t0, t1) => {
    timeline.view(t0, t1);
    timeline.draw();
  };
  window.aclimb.jump = jump;
  fill("timeline-controls", profile.launches.length > 1 ? everything : null, timelineButtons(timeline));
  fill("timeline-search", search.form, path.button);
  showFindings(profile.findings, { jump, search: lookFor });
  fill("footer", `aclimb profile, format ${profile.version}. Modelled time, not measured on an NPU.`);
  showModel(profile);
  if (!profile.slices.lane.length) fill("timeline-hint", "No slices were recorded: this profile was made without a trace.");
  if (profile.launches.length) select(profile.launches.reduce((longest, each) => (each.task_us > longest.task_us ? each : longest)).id);
  else {
    fill("notes", "This profile holds no launch.");
    timeline.show([]);
  }
});
