"""Seat lamps on a WLED strip:  .venv/bin/python docs/recipes/wled_lamps.py BROKER PORT BOX wled/table"""

import json
import sys

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

broker, port, box, strip = sys.argv[1:5]
EFFECTS = {"on": 0, "blinking": 1}  # of WLED: solid, blink


def lit(client: mqtt.Client, _: object, message: mqtt.MQTTMessage) -> None:
    name, light = message.topic.rpartition("/")[2], message.payload.decode()
    if name.startswith("seat"):
        segment = {"id": int(name[4:]) - 1, "on": light in EFFECTS, "fx": EFFECTS.get(light, 0)}
        client.publish(f"{strip}/api", json.dumps({"seg": [segment]}), qos=1)


client = mqtt.Client(CallbackAPIVersion.VERSION2)
client.on_connect = lambda client, *_: client.subscribe(f"boxlid/{box}/lamp/+")
client.on_message = lit
client.connect(broker, int(port))
client.loop_forever()
